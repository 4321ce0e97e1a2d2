// Makes callers' text safe for messages.

#pragma once

#include <cstddef>
#include <string>

namespace optarena {

// The text with control characters as escapes: a zero byte would end the message of an exception.
inline std::string Printable(const std::string& text) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string printable;
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    if (byte < 0x20 || byte == 0x7F) {
      printable += {'\\', 'x', kDigits[byte >> 4U], kDigits[byte & 0xFU]};
    } else {
      printable.push_back(character);
    }
  }
  return printable;
}

// The beginning of the text, if it is longer than clients accept in a status message.
inline std::string Shortened(const std::string& text) {
  constexpr std::size_t kBytes = 2000;
  if (text.size() <= kBytes) return text;
  std::size_t end = kBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + " ...";
}

}  // namespace optarena
