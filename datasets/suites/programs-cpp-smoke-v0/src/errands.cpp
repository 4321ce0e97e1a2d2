// A simulated shop: events in a priority queue, customers in maps, and objects whose destructors settle accounts.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <queue>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

// A table that a constructor fills before main().
struct Prices {
  std::map<std::string, int> of;
  Prices() {
    int price = 3;
    for (const char *name : {"apple", "bread", "cheese", "dates", "eggs", "flour", "grapes", "honey"})
      of[name] = price = price * 7 % 31 + 1;
  }
  ~Prices() { std::cout << "closed with " << of.size() << " prices" << std::endl; }
};
const Prices prices;

thread_local std::uint64_t state = 88172645463325252ULL;
unsigned next(unsigned below) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return static_cast<unsigned>(state >> 33) % below;
}

struct OutOfStock : std::runtime_error {
  explicit OutOfStock(const std::string &what) : std::runtime_error("no " + what + " left") {}
};

struct Ledger {
  long income = 0, open = 0, most = 0;
};

class Visit {
 public:
  Visit(Ledger &ledger, std::string who) : ledger_(ledger), who_(std::move(who)) {
    ledger_.most = std::max(ledger_.most, ++ledger_.open);
  }
  Visit(const Visit &) = delete;
  Visit &operator=(const Visit &) = delete;
  ~Visit() {
    ledger_.income += spent;
    ledger_.open--;
  }
  const std::string &who() const { return who_; }
  long spent = 0;

 private:
  Ledger &ledger_;
  std::string who_;
};

struct Event {
  unsigned time, number;
  std::function<void(unsigned)> run;
  bool operator>(const Event &other) const {
    return time != other.time ? time > other.time : number > other.number;
  }
};

class Shop {
 public:
  explicit Shop(unsigned stock) {
    for (const auto &[name, price] : prices.of) stock_[name] = stock + price;
  }
  void at(unsigned time, std::function<void(unsigned)> run) {
    events_.push(Event{time, number_++, std::move(run)});
  }
  void arrive(unsigned time) {
    auto visit = std::make_shared<Visit>(ledger_, "customer " + std::to_string(next(40)));
    for (unsigned wishes = 1 + next(6), later = time; wishes; wishes--)
      at(later += 1 + next(9), [this, visit](unsigned now) { buy(*visit, now); });
  }
  void buy(Visit &visit, unsigned now) {
    auto wish = prices.of.begin();
    std::advance(wish, next(static_cast<unsigned>(prices.of.size())));
    try {
      if (!stock_.at(wish->first)) throw OutOfStock(wish->first);
      stock_[wish->first]--;
      visit.spent += wish->second;
      spent_[visit.who()] += wish->second;
    } catch (const OutOfStock &problem) {
      if (complaints_.insert(problem.what()).second)
        at(now + 50, [this, name = wish->first](unsigned) { stock_[name] += 400; });
      missed_++;
    }
  }
  unsigned run() {
    unsigned now = 0;
    while (!events_.empty()) {
      Event event = events_.top();
      events_.pop();
      now = event.time;
      event.run(now);
    }
    return now;
  }
  int report(unsigned now) const {
    std::vector<std::pair<std::string, long>> best(spent_.begin(), spent_.end());
    std::stable_sort(best.begin(), best.end(), [](const auto &a, const auto &b) { return a.second > b.second; });
    best.resize(std::min<std::size_t>(best.size(), 5));
    for (const auto &[who, spent] : best) std::cout << std::left << std::setw(14) << who << spent << '\n';
    for (const auto &complaint : complaints_) std::cout << complaint << '\n';
    std::cout << "time " << now << ", income " << ledger_.income << ", open " << ledger_.open << ", most "
              << ledger_.most << ", missed " << missed_ << '\n';
    return static_cast<int>(missed_ % 50);
  }

 private:
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::map<std::string, unsigned> stock_;
  std::map<std::string, long> spent_;
  std::set<std::string> complaints_;
  Ledger ledger_;
  unsigned number_ = 0;
  long missed_ = 0;
};

}  // namespace

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  Shop shop(static_cast<unsigned>(std::atoi(argv[2])));
  for (int i = 0, time = 0; i < std::atoi(argv[1]); i++)
    shop.at(static_cast<unsigned>(time += static_cast<int>(next(5))), [&shop](unsigned now) { shop.arrive(now); });
  const unsigned end = shop.run();
  return shop.report(end);
}
