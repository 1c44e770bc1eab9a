/*
 * armulator: runs single instructions or routines on the ARMulator of GDB (folder sim/arm of its source), for
 * comparison of results and cycles. GPL code is only ever linked here, into a child process of the tests.
 *
 * Reads jobs from standard input and writes an outcome for each to standard output. All numbers are little-endian,
 * addresses in bytes.
 *
 *     job      u32 origin       where execution starts; 0x8000 to 0x1f000
 *              u32 count, count x u32 words of code
 *              15 x u32 R0 to R14, u32 flags: N, Z, C and V as bits 3 to 0
 *              u32 limit        0: exactly one instruction; else the most instructions until return_to
 *              u32 return_to
 *              u32 places, places x (u32 address, u32 count, count x u32)    data to write, and to give back
 *     outcome  u32 stop         0: done, 1: limit
 *              15 x u32 registers, u32 flags, u32 pc, u64 cycles
 *              the words of the places
 *
 * The core is an ARMv4T in user mode, as GDB takes it for arm7tdmi. Memory has no wait states, and is not cleared
 * between jobs. Where no job put code, up to 0x20000, there are instructions that do nothing: the simulator
 * fetches ahead, and takes a word of zero for the end.
 */
#include "defs.h"
#include "armdefs.h"
#include "armemu.h"
#include "armos.h"
#include "iwmmxt.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CODE_END 0x20000
#define NOTHING 0xe1a00000 /* mov r0, r0 */

/* what the rest of GDB's simulator would bring: nothing of it is reached by an ARMv4 without a coprocessor */
int disas, trace, trace_funcs, stop_simulator;

void print_insn(ARMword instruction)
{
	(void)instruction;
}

unsigned ARMul_CoProInit(ARMul_State *state)
{
	(void)state;
	return TRUE;
}

void ARMul_ConsolePrint(ARMul_State *state, const char *format, ...)
{
	(void)state, (void)format;
}

static void unreachable(const char *what)
{
	fprintf(stderr, "armulator: %s\n", what);
	exit(1);
}

unsigned ARMul_OSHandleSWI(ARMul_State *state, ARMword number)
{
	(void)state, (void)number;
	unreachable("software interrupt");
	return FALSE;
}

int ARMul_HandleIwmmxt(ARMul_State *state, ARMword instruction)
{
	(void)state, (void)instruction;
	unreachable("iWMMXt");
	return FALSE;
}

void XScale_check_memacc(ARMul_State *state, ARMword *address, int store)
{
	(void)state, (void)address, (void)store;
	unreachable("XScale");
}

void XScale_set_fsr_far(ARMul_State *state, ARMword fsr, ARMword far)
{
	(void)state, (void)fsr, (void)far;
	unreachable("XScale");
}

int XScale_debug_moe(ARMul_State *state, int moe)
{
	(void)state, (void)moe;
	unreachable("XScale");
	return FALSE;
}

ARMword read_cp15_reg(unsigned reg, unsigned opcode_2, unsigned crm)
{
	(void)reg, (void)opcode_2, (void)crm;
	unreachable("XScale");
	return 0;
}

static int number(ARMword *value)
{
	unsigned char raw[4];

	if (fread(raw, sizeof raw, 1, stdin) != 1)
		return FALSE;
	*value = raw[0] | raw[1] << 8 | raw[2] << 16 | (ARMword)raw[3] << 24;
	return TRUE;
}

static ARMword get(void)
{
	ARMword value;

	if (!number(&value))
		unreachable("job cut short");
	return value;
}

static void put(ARMword value)
{
	for (int i = 0; i < 4; i++)
		putchar((int)(value >> (8 * i) & 0xff));
}

static void job(ARMul_State *state, ARMword origin)
{
	ARMword count = get(), registers[15], flags, limit, return_to, places, addresses[64], lengths[64];
	ARMword stop = 0, instructions = 0;

	if (origin + 4 * (unsigned long long)count > CODE_END)
		unreachable("code beyond its place");
	for (ARMword i = 0; i < count; i++)
		ARMul_WriteWord(state, origin + 4 * i, get());
	for (int i = 0; i < 15; i++)
		registers[i] = get();
	flags = get();
	limit = get();
	return_to = get();
	places = get();
	if (places > 64)
		unreachable("too many places");
	for (ARMword i = 0; i < places; i++) {
		addresses[i] = get();
		lengths[i] = get();
		for (ARMword word = 0; word < lengths[i]; word++)
			ARMul_WriteWord(state, addresses[i] + 4 * word, get());
	}

	ARMul_Reset(state);
	ARMul_SetCPSR(state, flags << 28 | USER32MODE);
	for (int i = 0; i < 15; i++)
		state->Reg[i] = registers[i];
	state->Reg[15] = origin;
	state->NextInstr = 8; /* taken up at R15: nothing of the pipeline's is counted that came before */
	do {
		state->Reg[15] = ARMul_DoInstr(state);
		instructions++;
		if (limit != 0 && state->Reg[15] == return_to)
			break;
		if (limit != 0 && instructions == limit)
			stop = 1;
	} while (limit != 0 && stop == 0);

	put(stop);
	for (int i = 0; i < 15; i++)
		put(state->Reg[i]);
	put(ARMul_GetCPSR(state) >> 28);
	put(state->Reg[15]);
	put((ARMword)ARMul_Time(state));
	put((ARMword)((unsigned long long)ARMul_Time(state) >> 32));
	for (ARMword i = 0; i < places; i++)
		for (ARMword word = 0; word < lengths[i]; word++)
			put(ARMul_ReadWord(state, addresses[i] + 4 * word));
	fflush(stdout);
	for (ARMword i = 0; i < count; i++)
		ARMul_WriteWord(state, origin + 4 * i, NOTHING);
}

int main(void)
{
	ARMul_State *state;
	ARMword origin;

	ARMul_EmulateInit();
	state = ARMul_NewState();
	if (!ARMul_MemoryInit(state, 1 << 21))
		unreachable("no memory");
	ARMul_SelectProcessor(state, ARM_v4_Prop);
	for (ARMword address = 0; address < CODE_END; address += 4)
		ARMul_WriteWord(state, address, NOTHING);
	while (number(&origin))
		job(state, origin);
	return 0;
}
