// Objects of static and thread storage, exceptions, and the C++ library.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct Named {
  std::string name;
  explicit Named(const char *given) : name(given) { std::cout << "made " << name << '\n'; }
  ~Named() { std::cout << "gone " << name << '\n'; }
};

void say_goodbye() { std::puts("goodbye"); }

Named first("first"), second("second");
thread_local Named of_thread("of the thread");
std::map<std::string, int> counts{{"zero", 0}};

struct Shape {
  virtual ~Shape() = default;
  virtual int area() const = 0;
};
struct Square final : Shape {
  int side;
  explicit Square(int given) : side(given) {}
  int area() const override { return side * side; }
};

int at(const std::vector<int> &values, int index) {
  Named guard("guard");
  if (index < 0) throw index;
  return values.at(index);
}

}  // namespace

int main(int argc, char **argv) {
  const std::string how = argc > 1 ? argv[1] : "";
  std::atexit(say_goodbye);
  static Named local("local");
  std::cout << of_thread.name << '\n';
  for (std::string word; std::cin >> word;) counts[word]++;
  for (const auto &[word, count] : counts) std::cout << word << '=' << count << ' ';
  std::vector<std::unique_ptr<Shape>> shapes;
  for (int side = 1; side < 5; side++) shapes.push_back(std::make_unique<Square>(side));
  for (int index : {1, 9, -4}) {
    try {
      std::cout << at({10, 20, 30}, index) + shapes[index]->area() << '\n';
    } catch (const std::out_of_range &error) {
      std::cout << "out of range: " << error.what() << '\n';
    } catch (int number) {
      std::cout << "number " << number << '\n';
    }
  }
  std::istringstream text("x");
  text.exceptions(std::ios::failbit);
  try {
    text >> argc;
  } catch (const std::ios_base::failure &) {
    std::cout << "not a number\n";
  }
  if (dynamic_cast<Square *>(shapes[2].get())) std::cout << "a square" << std::endl;
  if (how == "exit") std::exit(5);
  if (how == "throw") throw std::runtime_error("uncaught");
  return 4;
}
