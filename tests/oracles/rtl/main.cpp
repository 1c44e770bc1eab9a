// The clock of what Verilator made.
#include "Vtop.h"

int main(int count, char **arguments)
{
	VerilatedContext context;
	context.commandArgs(count, arguments);
	Vtop top(&context);
	while (!context.gotFinish()) {
		top.clk = !top.clk;
		top.eval();
	}
	return 0;
}
