// A header of the consumer with a name that dve has too.
#pragma once
constexpr int router_of_consumer = 1;
