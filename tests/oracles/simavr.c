/*
 * simavr: runs single instructions or routines on libsimavr, for comparison. GPL code is only ever
 * linked here, into a child process of the tests.
 *
 *     simavr MMCU [interrupts]
 *
 * reads jobs from standard input and writes an outcome for each to standard output. All numbers are
 * little-endian; addresses of code are in words, of data in bytes.
 *
 *     job      u32 origin, u32 count, count x u16 words
 *              32 x u8 registers, u8 sreg, u16 sp, u32 pc
 *              u32 limit        0: exactly one instruction; else: push return_to, run until it is
 *                               reached with the stack pointer of before, at most limit instructions
 *              u32 return_to
 *              u16 count, count x (u16 address, u16 length, length x u8)    data to write
 *              u16 count, count x (u16 address, u16 length)                 data to give back
 *     outcome  u8 stop          0: done, 1: limit, 2: crashed
 *              32 x u8 registers, u8 sreg, u16 sp, u32 pc, u64 cycles, u64 instructions
 *              the data asked for
 *
 * Everything that a job does not set is 0; the flash outside its words is left from earlier jobs. Without `interrupts`
 * time stands still for timers, and nothing interrupts the code. With it they run once the code has set them up; what
 * they count is left from earlier jobs.
 */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <simavr/sim_avr.h>
#include <simavr/sim_core.h>
#include <simavr/sim_cycle_timers.h>
#include <simavr/sim_interrupts.h>

#define SREG_AT 0x5f
#define SPL_AT 0x5d

static avr_t *avr;
static int interrupts;
static FILE *out;

static void fail(const char *what)
{
	fprintf(stderr, "simavr: %s\n", what);
	exit(1);
}

static void get(void *place, size_t size)
{
	if (size != 0 && fread(place, size, 1, stdin) != 1)
		fail("job cut short");
}

static uint64_t number(int bytes)
{
	uint8_t raw[8];
	uint64_t value = 0;

	get(raw, (size_t)bytes);
	for (int i = bytes - 1; i >= 0; i--)
		value = value << 8 | raw[i];
	return value;
}

static void put(uint64_t value, int bytes)
{
	for (int i = 0; i < bytes; i++)
		putc((int)(value >> (8 * i) & 0xff), out);
}

static void silent(avr_t *which, const int level, const char *format, va_list arguments)
{
	(void)which, (void)level, (void)format, (void)arguments;
}

static uint16_t sp(void)
{
	return (uint16_t)(avr->data[SPL_AT] | avr->data[SPL_AT + 1] << 8);
}

static void set_sp(uint16_t value)
{
	avr->data[SPL_AT] = value & 0xff;
	avr->data[SPL_AT + 1] = value >> 8;
}

static void check_data(uint32_t address, uint32_t length)
{
	if (address + length > (uint32_t)avr->ramend + 1)
		fail("data address beyond the SRAM");
}

static void load_code(uint32_t origin)
{
	uint32_t count = (uint32_t)number(4);

	if (2 * ((uint64_t)origin + count) > (uint64_t)avr->flashend + 1)
		fail("code beyond the flash");
	for (uint32_t i = 0; i < count; i++) {
		uint16_t word = (uint16_t)number(2);
		avr->flash[2 * (origin + i)] = word & 0xff;
		avr->flash[2 * (origin + i) + 1] = word >> 8;
	}
}

static void job(uint32_t origin)
{
	uint8_t sreg;
	uint16_t start, addresses[256], lengths[256];
	uint32_t limit, return_to, count;
	uint64_t instructions = 0;
	int stop = 0;

	load_code(origin);
	memset(avr->data, 0, (size_t)avr->ramend + 1);
	get(avr->data, 32);
	sreg = (uint8_t)number(1);
	start = (uint16_t)number(2);
	set_sp(start);
	avr->pc = (avr_flashaddr_t)number(4) * 2;
	limit = (uint32_t)number(4);
	return_to = (uint32_t)number(4);
	count = (uint32_t)number(2);
	for (uint32_t i = 0; i < count; i++) {
		uint16_t address = (uint16_t)number(2), length = (uint16_t)number(2);
		check_data(address, length);
		get(avr->data + address, length);
	}
	count = (uint32_t)number(2);
	if (count > 256)
		fail("too many ranges");
	for (uint32_t i = 0; i < count; i++) {
		addresses[i] = (uint16_t)number(2);
		lengths[i] = (uint16_t)number(2);
		check_data(addresses[i], lengths[i]);
	}

	SET_SREG_FROM(avr, sreg);
	avr->interrupt_state = 0;
	avr->state = cpu_Running;
	avr->cycle = 0;
	if (limit != 0) {
		for (int i = 0; i < avr->address_size; i++) {
			avr->data[sp()] = return_to >> (8 * i) & 0xff;
			set_sp(sp() - 1);
		}
	}
	do {
		avr->pc = avr_run_one(avr);
		instructions++;
		if (interrupts) {
			avr_cycle_timer_process(avr);
			if (avr->interrupt_state)
				avr_service_interrupts(avr);
		}
		if (avr->state != cpu_Running && avr->state != cpu_Sleeping)
			stop = 2;
		else if (limit != 0 && avr->pc == 2 * return_to && sp() == start)
			break;
		else if (limit != 0 && instructions == limit)
			stop = 1;
	} while (limit != 0 && stop == 0);

	READ_SREG_INTO(avr, sreg);
	put((uint64_t)stop, 1);
	fwrite(avr->data, 32, 1, out);
	put(sreg, 1);
	put(sp(), 2);
	put(avr->pc / 2, 4);
	put(avr->cycle, 8);
	put(instructions, 8);
	for (uint32_t i = 0; i < count; i++)
		fwrite(avr->data + addresses[i], lengths[i], 1, out);
	fflush(out);
}

int main(int arguments, char **argument)
{
	uint8_t raw[4];

	interrupts = arguments == 3 && strcmp(argument[2], "interrupts") == 0;
	if (arguments != 2 + interrupts)
		fail("usage: simavr MMCU [interrupts]");
	/* the library prints to standard output: keep that for ourselves */
	out = fdopen(dup(1), "wb");
	if (out == NULL || dup2(2, 1) < 0)
		fail("no output");
	avr_global_logger_set(silent);
	avr = avr_make_mcu_by_name(argument[1]);
	if (avr == NULL)
		fail("no such core");
	avr_init(avr);
	while (fread(raw, sizeof raw, 1, stdin) == 1)
		job((uint32_t)raw[0] | (uint32_t)raw[1] << 8 | (uint32_t)raw[2] << 16 | (uint32_t)raw[3] << 24);
	return 0;
}
