// Parses formulas into trees, differentiates and simplifies them, and evaluates both; errors are exceptions.
#include <cstdlib>
#include <iostream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

class Error : public std::runtime_error {
 public:
  Error(const std::string &what, std::size_t place) : std::runtime_error(what), place(place) {}
  std::size_t place;
};

struct Node;
using Tree = std::shared_ptr<const Node>;

struct Node {
  virtual ~Node() = default;
  virtual long value(long x) const = 0;
  virtual Tree derived() const = 0;
  virtual void print(std::ostream &out) const = 0;
};

const long kModulus = 1000003;

struct Number final : Node {
  explicit Number(long given) : number(given) {}
  long value(long) const override { return number % kModulus; }
  Tree derived() const override { return std::make_shared<Number>(0); }
  void print(std::ostream &out) const override { out << number; }
  long number;
};

struct Variable final : Node {
  long value(long x) const override { return x % kModulus; }
  Tree derived() const override { return std::make_shared<Number>(1); }
  void print(std::ostream &out) const override { out << 'x'; }
};

bool is(const Tree &tree, long number) {
  const auto *found = dynamic_cast<const Number *>(tree.get());
  return found && found->number == number;
}

struct Sum final : Node {
  Sum(Tree one, Tree two) : left(std::move(one)), right(std::move(two)) {}
  long value(long x) const override { return (left->value(x) + right->value(x)) % kModulus; }
  Tree derived() const override { return simple(left->derived(), right->derived()); }
  void print(std::ostream &out) const override {
    out << '(';
    left->print(out);
    out << " + ";
    right->print(out);
    out << ')';
  }
  static Tree simple(Tree one, Tree two) {
    if (is(one, 0)) return two;
    if (is(two, 0)) return one;
    return std::make_shared<Sum>(std::move(one), std::move(two));
  }
  Tree left, right;
};

struct Product final : Node {
  Product(Tree one, Tree two) : left(std::move(one)), right(std::move(two)) {}
  long value(long x) const override { return left->value(x) * right->value(x) % kModulus; }
  Tree derived() const override {
    return Sum::simple(simple(left->derived(), right), simple(left, right->derived()));
  }
  void print(std::ostream &out) const override {
    left->print(out);
    out << " * ";
    right->print(out);
  }
  static Tree simple(Tree one, Tree two) {
    if (is(one, 0) || is(two, 0)) return std::make_shared<Number>(0);
    if (is(one, 1)) return two;
    if (is(two, 1)) return one;
    return std::make_shared<Product>(std::move(one), std::move(two));
  }
  Tree left, right;
};

class Parser {
 public:
  explicit Parser(const std::string &given) : text_(given) {}
  Tree parse() {
    Tree made = sum();
    if (place_ != text_.size()) throw Error("unexpected character", place_);
    return made;
  }

 private:
  bool take(char wanted) {
    if (place_ >= text_.size() || text_[place_] != wanted) return false;
    ++place_;
    return true;
  }
  Tree sum() {
    Tree made = product();
    while (take('+')) made = Sum::simple(made, product());
    return made;
  }
  Tree product() {
    Tree made = atom();
    while (take('*')) made = Product::simple(made, atom());
    return made;
  }
  Tree atom() {
    if (++depth_ > 60) throw Error("too deep", place_);
    Tree made;
    if (take('(')) {
      made = sum();
      if (!take(')')) throw Error("missing parenthesis", place_);
    } else if (take('x')) {
      made = std::make_shared<Variable>();
    } else {
      long number = 0;
      const std::size_t begin = place_;
      while (place_ < text_.size() && text_[place_] >= '0' && text_[place_] <= '9')
        number = (number * 10 + (text_[place_++] - '0')) % kModulus;
      if (begin == place_) throw Error("missing number", place_);
      made = std::make_shared<Number>(number);
    }
    --depth_;
    return made;
  }
  std::string text_;
  std::size_t place_ = 0;
  int depth_ = 0;
};

unsigned long state = 1;
unsigned next(unsigned below) {
  state = state * 6364136223846793005UL + 1442695040888963407UL;
  return static_cast<unsigned>(state >> 40) % below;
}

std::string formula(int depth) {
  if (depth == 0) return next(2) ? "x" : std::to_string(next(100));
  const std::string left = formula(depth - 1), right = formula(depth - 1);
  switch (next(40)) {
    case 0: return left + right + "+";
    case 1: return "(" + left;
    default: return next(2) ? "(" + left + "+" + right + ")" : left + "*" + right;
  }
}

}  // namespace

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  const int count = std::atoi(argv[1]), depth = std::atoi(argv[2]);
  int valid = 0, failed = 0;
  unsigned long checked = 0;
  std::vector<std::string> messages;
  for (int i = 0; i < count; i++) {
    try {
      const Tree tree = Parser(formula(1 + static_cast<int>(next(depth)))).parse();
      const Tree derived = tree->derived();
      for (long x = 0; x < 20; x++) checked = checked * 31 + tree->value(x) + 7 * derived->value(x);
      if (valid++ % 50 == 0) {
        std::ostringstream text;
        derived->print(text);
        messages.push_back(text.str().substr(0, 60));
      }
    } catch (const Error &error) {
      failed++;
      checked = checked * 31 + error.place;
      if (failed % 20 == 1) messages.push_back(std::string(error.what()) + " at " + std::to_string(error.place));
    }
  }
  for (const auto &message : messages) std::cout << message << '\n';
  std::cout << valid << ' ' << failed << ' ' << checked << std::endl;
  return failed % 100;
}
