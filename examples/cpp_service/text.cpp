#include "text.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace text {
namespace {

constexpr std::uint32_t kSpaces[] = {0x09,   0x0B,   0x0C,   0x0D,   0x1C,   0x1D,   0x1E,
                                     0x1F,   0x20,   0x85,   0xA0,   0x1680, 0x2028, 0x2029,
                                     0x202F, 0x205F, 0x3000};

bool IsSpace(std::uint32_t character) {
  const bool quad_to_hair_space = character >= 0x2000 && character <= 0x200A;
  return quad_to_hair_space ||
         std::find(std::begin(kSpaces), std::end(kSpaces), character) != std::end(kSpaces);
}

bool IsContinuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

// The number of bytes of the character that begins with this byte; 0 if none does.
std::size_t LengthOf(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return 2;
  if (first >= 0xE0 && first <= 0xEF) return 3;
  return first >= 0xF0 && first <= 0xF4 ? 4 : 0;
}

bool IsScalarValue(std::uint32_t character, std::size_t length) {
  const bool surrogate = character >= 0xD800 && character <= 0xDFFF;
  const bool overlong = (length == 3 && character < 0x800) || (length == 4 && character < 0x10000);
  return !surrogate && !overlong && character <= 0x10FFFF;
}

std::uint32_t CharacterAt(const std::string& utf8, std::size_t position, std::size_t length) {
  const auto first = static_cast<unsigned char>(utf8[position]);
  if (length == 1) return first;
  std::uint32_t character = first & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    character = character << 6U | (static_cast<unsigned char>(utf8[position + i]) & 0x3FU);
  }
  return character;
}

}  // namespace

std::string WithPlainSpaces(const std::string& utf8) {
  std::string plain;
  std::size_t length = 0;
  for (std::size_t i = 0; i < utf8.size(); i += length) {
    length = LengthOf(static_cast<unsigned char>(utf8[i]));
    const std::string bytes = utf8.substr(i, length);
    const bool whole = length > 0 && bytes.size() == length &&
                       std::all_of(bytes.begin() + 1, bytes.end(), IsContinuation);
    const std::uint32_t character = whole ? CharacterAt(utf8, i, length) : 0;
    if (!whole || !IsScalarValue(character, length)) {
      throw std::invalid_argument("the program is not UTF-8 text: see the byte at " +
                                  std::to_string(i));
    }
    plain += IsSpace(character) ? " " : bytes;
  }
  return plain;
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t begin = 0;
  for (std::size_t end = 0; end != std::string::npos; begin = end + 1) {
    end = text.find('\n', begin);
    lines.push_back(text.substr(begin, end == std::string::npos ? end : end - begin));
  }
  return lines;
}

std::vector<std::string> Words(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream stream(line);
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::string FirstCharacters(const std::string& utf8, std::size_t count) {
  std::size_t end = 0;
  while (end < utf8.size() && count > 0) {
    do {
      ++end;
    } while (end < utf8.size() && IsContinuation(utf8[end]));
    --count;
  }
  return utf8.substr(0, end);
}

}  // namespace text
