// Text of the stack language: UTF-8, in which any of Unicode's white space separates words.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace text {

// The text with a plain space for each white-space character except the line feed. Throws
// std::invalid_argument for text that is not UTF-8.
std::string WithPlainSpaces(const std::string& utf8);

// The lines between line feeds; at least one.
std::vector<std::string> Lines(const std::string& text);

// The words between plain spaces.
std::vector<std::string> Words(const std::string& line);

// The first `count` characters, not bytes.
std::string FirstCharacters(const std::string& utf8, std::size_t count);

}  // namespace text
