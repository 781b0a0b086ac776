// A header of the consumer with a name that dve has too.
#error "a header of the consumer was taken for one of dve"
