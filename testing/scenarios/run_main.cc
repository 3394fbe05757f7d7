#include "testing/scenarios/run_command.h"

int main(int argc, char** argv) { return kubelet_cm::scenarios::RunScenarios(argc, argv); }
