// Prints docs/upgrade_outcomes.md.
#include <iostream>

#include "testing/scenarios/upgrade_outcomes.h"

int main() {
  std::cout << kubelet_cm::scenarios::UpgradeOutcomesPage();
  return 0;
}
