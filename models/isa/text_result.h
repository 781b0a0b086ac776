// A value, or one line that says why there is none.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace dve {

/// One line for the user: what is wrong, where, and what is legal.
struct Error {
    std::string message;
};

/// Either a T or an Error. `value()` only if `ok()`, `error()` only if not.
template <typename T>
class [[nodiscard]] Result {
public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

    bool ok() const { return state_.index() == 0; }
    explicit operator bool() const { return ok(); }
    const T& value() const& { return std::get<0>(state_); }
    T& value() & { return std::get<0>(state_); }
    T&& value() && { return std::get<0>(std::move(state_)); }
    const T& operator*() const& { return value(); }
    const T* operator->() const { return &value(); }
    const std::string& error() const { return std::get<1>(state_).message; }
    Error failure() const { return std::get<1>(state_); }  ///< to hand the error on

private:
    std::variant<T, Error> state_;
};

/// The value of a Result that has nothing to return but success.
struct Done {};
using Status = Result<Done>;

}  // namespace dve
