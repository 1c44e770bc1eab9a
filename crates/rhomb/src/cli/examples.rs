//! What helps begin with: commands that work as they stand.

pub(super) const RHOMB: &str = "\
Examples:
  rhomb generate mul --bits 256 --target atmega328p     write mul256.S and mul256.h
  rhomb generate modmul --modulus p192 -t mips32-ise    write modmul_p192_ise.S and .h
  rhomb measure sqr -b 512 -t arm7tdmi                  count its cycles
  rhomb verify main.o --symbol f --contract \"mul 256\" -t atmega328p
  rhomb list targets                                    or methods, operations, conventions
  rhomb help avr                                        read about a processor
";

pub(super) const GENERATE: &str = "\
Examples:
  rhomb generate mul --bits 160 --target atmega128
  rhomb generate sqr -b 256 -t uno --form looped        small code
  rhomb generate modmul --modulus p192 -t mips32-ise
  rhomb generate mul -b 256 -t arm7tdmi --constant-time -o src
  rhomb generate add -b 256 -t uno --plain              add256.s, for global_asm!
";

pub(super) const LIBRARY: &str = "\
Examples:
  rhomb library -t atmega328p --programs x25519 -o x25519
  rhomb library -t cortex-m0plus -p \"modmul p256\",\"modsqr p256\",\"modadd p256\" -o field --constant-time
";

pub(super) const MEASURE: &str = "\
Examples:
  rhomb measure mul --bits 160 --target atmega128
  rhomb measure mul -b 160 -t atmega128 -m comba        another method
  rhomb measure main.o --symbol f --contract \"mul 256\" -t atmega328p
";

pub(super) const TUNE: &str = "\
Examples:
  rhomb tune mul --bits 192 --target atmega128          a minute from the registers that are known
  rhomb tune mul -b 192 -t atmega128 --seconds 3600 --shard 2/8
";

pub(super) const DRAW: &str = "\
Examples:
  rhomb draw mul --bits 64 --target atmega128 -m comba  write mul64.svg
  rhomb draw modmul --modulus p256 -t atmega128         a call of it: products, and memory over time
  rhomb draw mul -b 256 -t atmega128 --chart sizes      cycles by size
  rhomb draw mul -b 64 -t atmega128 -o mul64.tex        for a paper: TikZ, for \\input
";

pub(super) const PAGE: &str = "\
Examples:
  rhomb page                                            print the address, and serve until it is stopped
  rhomb page --folder target/page --port 8080
";

pub(super) const VERIFY: &str = "\
Examples:
  rhomb verify main.o --symbol f --contract \"mul 256\" --target atmega328p
  rhomb verify main.elf --symbol f --contract \"modmul p256\" -t arm7tdmi --require constant
  rhomb verify main.o --symbol f --contract \"mul 256\" -t uno --certificate f.json
";

pub(super) const CERTIFICATE: &str = "\
Examples:
  rhomb certificate main.o f.json --symbol f --target atmega328p
";

pub(super) const REPRODUCE: &str = "\
Examples:
  rhomb reproduce hutter-wenger --table 2
  rhomb reproduce seo-kim --format md
";

pub(super) const RECORDS: &str = "\
Examples:
  rhomb records                                         of all operations, which takes a minute or two
  rhomb records mul --target atmega128
  rhomb records ecdh --format md
";
