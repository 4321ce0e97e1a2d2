// Reads made-up text from a stream into an index of words and lines, sorts it in several ways, and asks it questions.
#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace {

const std::array<std::string_view, 16> kSyllables{"ba", "ce", "di", "fo", "gu", "han", "jel", "kim",
                                                  "lor", "mun", "pa", "que", "ri", "sol", "tur", "ven"};

class Index {
 public:
  void read(std::istream &in) {
    std::string line;
    for (unsigned number = 1; std::getline(in, line); number++) {
      std::istringstream words(line);
      for (std::string word; words >> word;) {
        std::transform(word.begin(), word.end(), word.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        lines_[word].push_back(number);
      }
    }
  }
  std::optional<std::vector<unsigned>> find(const std::string &word) const {
    const auto found = lines_.find(word);
    if (found == lines_.end()) return std::nullopt;
    return found->second;
  }
  std::vector<std::pair<std::string, std::size_t>> frequent(std::size_t count) const {
    std::vector<std::pair<std::string, std::size_t>> all;
    all.reserve(lines_.size());
    for (const auto &[word, lines] : lines_) all.emplace_back(word, lines.size());
    std::sort(all.begin(), all.end(), [](const auto &a, const auto &b) {
      return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    all.resize(std::min(count, all.size()));
    return all;
  }
  std::size_t together(const std::string &one, const std::string &two) const {
    const auto a = find(one), b = find(two);
    if (!a || !b) return 0;
    std::vector<unsigned> both;
    std::set_intersection(a->begin(), a->end(), b->begin(), b->end(), std::back_inserter(both));
    return both.size();
  }
  std::size_t size() const { return lines_.size(); }
  auto begin() const { return lines_.begin(); }
  auto end() const { return lines_.end(); }

 private:
  std::map<std::string, std::vector<unsigned>> lines_;
};

struct Count {
  std::string word;
};
struct Pair {
  std::string one, two;
};
struct Prefix {
  std::string text;
};
using Question = std::variant<Count, Pair, Prefix>;

struct Answer {
  const Index &index;
  std::size_t operator()(const Count &asked) const { return index.find(asked.word).value_or(std::vector<unsigned>{}).size(); }
  std::size_t operator()(const Pair &asked) const { return index.together(asked.one, asked.two); }
  std::size_t operator()(const Prefix &asked) const {
    return static_cast<std::size_t>(std::count_if(index.begin(), index.end(), [&](const auto &entry) {
      return entry.first.compare(0, asked.text.size(), asked.text) == 0;
    }));
  }
};

struct Random {
  unsigned state;
  unsigned operator()(unsigned below) {
    state = state * 1664525u + 1013904223u;
    return (state >> 12) % below;
  }
};

std::string word(Random &random) {
  std::string made;
  for (unsigned n = 1 + random(3); n; n--) made += kSyllables[random(4 + random(13))];
  if (random(5) == 0) made[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(made[0])));
  return made;
}

}  // namespace

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  Random random{static_cast<unsigned>(std::atoi(argv[2]))};
  std::stringstream text;
  for (int line = std::atoi(argv[1]); line; line--) {
    for (unsigned words = 4 + random(8); words; words--) text << word(random) << ' ';
    text << '\n';
  }
  Index index;
  index.read(text);
  std::vector<Question> questions;
  for (int i = 0; i < 300; i++) {
    std::string one = word(random), two = word(random);
    switch (random(3)) {
      case 0: questions.emplace_back(Count{one}); break;
      case 1: questions.emplace_back(Pair{kSyllables[random(16)].data(), two}); break;
      default: questions.emplace_back(Prefix{one.substr(0, 2)}); break;
    }
  }
  std::vector<std::size_t> answers;
  for (const auto &question : questions) answers.push_back(std::visit(Answer{index}, question));
  for (const auto &[name, times] : index.frequent(12)) std::cout << name << ' ' << times << '\n';
  std::cout << index.size() << " words, " << std::accumulate(answers.begin(), answers.end(), std::size_t{0})
            << " found, at most " << *std::max_element(answers.begin(), answers.end()) << std::endl;
  try {
    index.find("Absent").value();
  } catch (const std::bad_optional_access &) {
    std::cout << "words are indexed in lower case\n";
  }
  return static_cast<int>(index.size() % 100);
}
