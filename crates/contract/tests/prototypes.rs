//! Arguments, results, bounds and the operations that are not generated.

use num_bigint::BigUint;
use rhomb_contract::{Contract, Operation, Returned, Word};
use rhomb_machine::{Arguments, Passed};

fn contract(text: &str) -> Contract {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn error(text: &str) -> String {
    text.parse::<Contract>().map(|contract| contract.to_string()).unwrap_err().to_string()
}

/// The arguments of a call with words of 8 bits; operand `i` holds words `10 * i`, `10 * i + 1`.
fn arguments(text: &str) -> Arguments<u8> {
    let contract = contract(text);
    let operand =
        |(index, count): (usize, &u32)| (0..*count).map(|word| 10 * index as u8 + word as u8).collect();
    let operands: Vec<Vec<u8>> = contract.operands(8).iter().enumerate().map(operand).collect();
    contract.arguments(8, &contract.patterns()[0], &operands, |word| match word {
        Word::Number(number) => number as u8,
        Word::Negative(word) => word.wrapping_neg(),
    })
}

/// The arguments as text: pointers by the names of their buffers.
fn passed(text: &str) -> Vec<String> {
    let Arguments { buffers, passed, .. } = arguments(text);
    let show = |passed: Passed<u8>| match passed {
        Passed::Pointer(index) => format!("*{}", buffers[index].name),
        Passed::Words(words) => words.iter().map(u8::to_string).collect::<Vec<_>>().join(":"),
        Passed::Number(number) => format!("#{number}"),
        Passed::Nothing => "-".to_owned(),
    };
    passed.into_iter().map(show).collect()
}

#[test]
fn prototypes_are_read_and_printed() {
    for text in [
        "mul 160 (r, a, b, 20)",
        "mul 160 (20, a, b, r)",
        "mul 160 128 (a, b, r) -> void",
        "sqr 64 (r=a)",
        "add 256 (r=a, b)",
        "add 256 (a, r=b, words, _) -> 0",
        "sub 256 -> void",
        "modmul 2^255-19 (r, a, b, p, n0)",
        "modadd 2^255-19 a<p b<2p r<p (r, a, b, p, words)",
        "modmul 2^255-19 b=121665 (a, r)",
        "gf2modmul x^191+x^9+1 (a, b, r)",
        "mac 256 word (r, a, 8, b)",
        "select 256 (r=b, a, -c)",
        "add 256 (r=a, a, b)",
        "sub 256 (r, a, b) -> -carry",
        "modreduce 2^255-19 (r, a=_)",
        "addif 256 (r, a, b, -c)",
        "cmp 256 (b, a, words)",
        "iszero 256 (a, 8)",
        "swap 256 (a, b, c of 16)",
        "select 256 (r=b, a, -c of 32)",
        "mac 256 word (r, a, 8, b of 16)",
        "add 256 (r, a, b) -> carry of 32",
    ] {
        let contract = contract(text);
        let printed = contract.to_string();
        assert_eq!(printed.parse(), Ok(contract), "{text}");
        assert_eq!(printed.split_once(" (").map(|(_, own)| own), text.split_once(" (").map(|(_, own)| own));
    }
    assert_eq!(contract("add 8(r,a , b)->carry").to_string(), "add 8 (r, a, b) -> carry");
    assert_eq!(contract("add 8 ( r = a,0x10,b )").to_string(), "add 8 (r=a, 16, b)");
}

#[test]
fn arguments_come_in_their_order() {
    assert_eq!(passed("mul 16"), ["*r", "*a", "*b"]);
    assert_eq!(passed("mul 16 (2, b, _, r, a)"), ["#2", "*b", "-", "*r", "*a"]);
    assert_eq!(passed("mul 16 (r, a, b, words)"), ["*r", "*a", "*b", "#2"]);
    // the word that is given by value is no array
    assert_eq!(passed("mac 16 word"), ["*r", "*a", "20"]);
    assert_eq!(passed("mac 16 8 (r, words, a, b)"), ["*r", "#2", "*a", "*b"]);
    assert_eq!(passed("select 8 (r, a, b, -c)"), ["*r", "*a", "*b", "236"]);
    // of a wide number the caller says all words; of a limb they are as many as it has
    assert_eq!(passed("select 8 (r, a, b, c of 32)"), ["*r", "*a", "*b", "20:0:0:0"]);
    assert_eq!(passed("select 8 (r, a, b, -c of 16)"), ["*r", "*a", "*b", "236:236"]);
    assert_eq!(passed("mac 16 word (r, a, b of 16)"), ["*r", "*a", "20:0"]);
    assert_eq!(passed("montmul 0xfff1 limbs 16 of 16 (r, a, b, n0)"), ["*r", "*a", "*b", "239:238"]);
    assert_eq!(
        passed("montmul 2^36-5 limbs 13 of 16 (r, a, b, n0, words)"),
        ["*r", "*a", "*b", "205:12", "#3"]
    );
    // -1/241 modulo 256 is 239
    assert_eq!(passed("modmul 0xf1 (r, a, b, p, n0)"), ["*r", "*a", "*b", "*p", "239"]);
    let Arguments { buffers, .. } = arguments("modadd 0xfff1 (r=a, b, p)");
    let shown: Vec<_> = buffers.iter().map(|own| (own.name, own.length, own.shares)).collect();
    assert_eq!(shown, [("r", 2, None), ("a", 2, Some(0)), ("b", 2, None), ("p", 2, None)]);
    assert_eq!(buffers[3].content, Some(vec![0xf1, 0xff]));
}

#[test]
fn patterns_are_those_of_the_prototype() {
    let names = |text: &str| contract(text).patterns().iter().map(|own| own.name).collect::<Vec<_>>();
    assert_eq!(names("mul 8"), ["r apart from a and b"]);
    assert_eq!(names("mul 8 (r=b, a)"), ["r = b"]);
    assert_eq!(names("add 8 (r=a, b)"), ["r = a", "r = a = b"]);
    assert_eq!(names("mac 8"), ["r in its place"]);
    assert_eq!(names("add 8 word"), ["r apart from a and b", "r = a"]);
    assert_eq!(names("add 8 word (r=a, b)"), ["r = a"]);
    assert_eq!(names("less 8"), ["r apart from a and b"]);
}

#[test]
fn what_is_returned() {
    let returned = |text: &str| contract(text).returned();
    assert_eq!(returned("add 8"), Returned::Carry);
    assert_eq!(returned("add 8 -> void"), Returned::Void);
    assert_eq!(returned("mul 8"), Returned::Void);
    assert_eq!(returned("mul 8 word"), Returned::Carry);
    assert_eq!(returned("modmul 0xf1 -> 0"), Returned::Zero);
    assert_eq!(returned("add 8 -> -carry"), Returned::Mask);
    assert_eq!(returned("equal 8"), Returned::Carry);
    // modulo which power of two it is compared
    let power = |text: &str| contract(text).power(8);
    assert_eq!(power("add 16"), None);
    assert_eq!(power("add 16 -> void"), Some(16));
    assert_eq!(power("mul 16"), Some(32));
    assert_eq!(power("mullow 16"), Some(16));
    assert_eq!(power("mul 16 word"), Some(24));
    assert_eq!(power("mac 16 word"), Some(24));
    assert_eq!(power("mac 16 8"), None);
    assert_eq!(power("sub 16 word"), Some(24));
    assert_eq!(power("addif 16"), None);
    assert_eq!(power("cmp 16"), None);
    assert_eq!(power("shr 16 3"), Some(19));
    assert_eq!(power("modadd 0xf1"), None);
}

#[test]
fn bounds_are_numbers() {
    for text in [
        "modadd 0xf1 a<2p b<p r<2p",
        "mul 256 a<2^255 b<3*2^200",
        "montreduce 0xf1 a<p*R r<p",
        "modreduce 0xf1 a<3p*p r<p",
        "mul 64 a<1000",
    ] {
        assert_eq!(contract(text).to_string(), text.replace("0xf1", "2^8-2^4+1"));
    }
    let number = |value: u32| Some(BigUint::from(value));
    let sum = contract("modadd 0xf1 a<p b<2^7 r<2p");
    assert_eq!((sum.bound(0, 8), sum.bound(1, 8)), (number(241), number(128)));
    // 482 is more than a word holds
    assert_eq!((sum.result_bound(8), sum.result_bound(16)), (None, number(482)));
    assert_eq!(contract("montreduce 0xf1 a<p*R").bound(0, 8), number(241 << 8));
    assert_eq!(contract("select 8").bound(2, 8), number(2));
    assert!(contract("modadd 0xf1 r<p").is_canonical() && !sum.is_canonical());
    for text in [
        "mul 8 a<p",
        "mul 8 a<",
        "mul 8 a<2^",
        "mul 8 a<0",
        "modadd 0xf1 a<pp",
        "modadd 0xf1 a<2^9999999",
        "mul 8 a<R",
    ] {
        assert!(error(text).contains("is no bound"), "{text}: {}", error(text));
    }
    assert_eq!(error("modadd 0xf1 a<p a<2p"), "a bound of a is given twice");
}

#[test]
fn faults_name_the_word() {
    assert_eq!(error("mul 160 (r, a, c)"), "'c' is no argument; valid: r, a, b, r=a, words, _, numbers");
    assert_eq!(
        error("modadd 0xf1 (r, a, b, q)"),
        "'q' is no argument; valid: r, a, b, r=a, p, n0, words, _, numbers"
    );
    assert_eq!(error("mac 8 (r=a, b)"), "'r=a' is no argument; valid: r, a, b, words, _, numbers");
    assert_eq!(
        error("mul 160 (r, a, b"),
        "'(r, a, b' has no closing parenthesis; valid: arguments in their order, such as (r, a, b)"
    );
    assert_eq!(error("mul 160 (r, a)"), "'b' is not among the arguments");
    assert_eq!(error("mul 160 (a, b)"), "'r' is not among the arguments");
    assert_eq!(error("add 160 (r=a, a, a, b)"), "a is given twice");
    assert_eq!(error("add 160 (r, a=_, a, b)"), "a is given twice");
    assert_eq!(error("mul 160 (r, a, b, 1, 2, 3, 4, 5, 6)"), "more than 8 arguments");
    assert_eq!(
        error("mul 160 -> carry"),
        "'carry' is not what it returns; valid: void, 0: this operation has no carry"
    );
    assert_eq!(
        error("add 160 -> r"),
        "'r' is not what it returns; valid: carry, carry of 16, -carry, void, 0"
    );
    let void = "'void of 16' is not what it returns; valid: carry, carry of 16, -carry, void, 0";
    assert_eq!(error("add 160 -> void of 16"), void);
    let widths = "'c of 24' is no argument; valid: r, a, b, c, -c, c of 16, r=a, words, _, numbers";
    assert_eq!(error("select 160 (r, a, b, c of 24)"), widths);
    assert!(error("add 160 (r, a, b of 16)").starts_with("'b of 16' is no argument"));
    assert_eq!(
        error("add 160 (r, a, b) carry"),
        "'carry' stands behind the contract; valid there: -> carry, -> void, -> 0"
    );
    assert_eq!(error("shl 160"), "shl takes a size and a number of bits, not 1 sizes");
    assert_eq!(error("shl 160 32"), "'32' is no number of bits to shift by; valid: 0 to 31");
    assert_eq!(
        error("mul 160 a<2^9 c"),
        "'c' is no condition on an operand or the result; valid: a<2^BITS, b<2^BITS, r<2^BITS"
    );
    for text in [
        "mul 8 ()",
        "mul 8 (",
        "mul 8 )",
        "mul 8 (r,,a,b)",
        "mul 8 ->",
        "mul 8 (r, a, b) (r, a, b)",
        "mul 8 (r, a, b, 4294967296)",
    ] {
        assert!(text.parse::<Contract>().is_err(), "{text}");
    }
}

#[test]
fn sizes_of_what_is_not_generated() {
    let sizes = |text: &str| (contract(text).operands(8), contract(text).result(8));
    assert_eq!(sizes("mac 16 8"), (vec![3, 2, 1], 3));
    assert_eq!(sizes("mac 16 word"), (vec![2, 2, 1], 2));
    assert_eq!(sizes("mullow 16"), (vec![2, 2], 2));
    assert_eq!(sizes("shr 16 1"), (vec![2], 2));
    assert_eq!(sizes("select 16"), (vec![2, 2, 1], 2));
    assert_eq!(sizes("cond-sub 0xf1"), (vec![1], 1));
    assert_eq!(sizes("add 16 word"), (vec![2, 1], 2));
    assert_eq!(sizes("subif 16"), (vec![2, 2, 1], 2));
    assert_eq!(sizes("cmp 16"), (vec![2, 2], 0));
    assert_eq!(sizes("iszero 16"), (vec![2], 0));
    assert_eq!((contract("tomont 0xf1").raise(8), contract("frommont 0xf1").shift(8)), (8, 8));
    assert_eq!(contract("shl 16 0").times(0), 1);
    assert_eq!((contract("shl 16 3").times(0), contract("moddouble 0xf1").times(0)), (8, 2));
    assert_eq!((contract("shr 16 3").shift(8), contract("shr 16 3").rest()), (3, 3));
    let fits = |text: &str, bits| contract(text).misfit(bits).is_none();
    assert!(fits("shr 16 7", 8) && !fits("shr 16 8", 8) && fits("shr 16 8", 16));
    assert!(fits("swap 16 (a, b, c of 16)", 16) && !fits("swap 16 (a, b, c of 16)", 32));
    assert!(fits("add 16 -> carry of 16", 8) && !fits("add 16 -> carry of 16", 32));
    assert!(fits("mul 58 limbs 29 of 32", 8) && !fits("mul 16 limbs 8 of 8", 16));
    assert!(
        fits("modmul 2^255-19 signed limbs 26,25 of 32", 32)
            && !fits("modmul 2^255-19 signed limbs 26,25 of 32", 8)
    );
    for operation in Operation::FOREIGN {
        assert!(Operation::generated(operation.name()).is_none());
        assert_eq!(Operation::named(operation.name()), Some(*operation));
    }
}

/// How often operands of sums and differences count; then the result lies apart.
#[test]
fn operands_count_more_than_once() {
    let own = contract("modsub 0xf1 a<p a*3 b*2 r<p");
    assert_eq!(own.to_string(), "modsub 2^8-2^4+1 a<p a*3 b*2 r<p");
    assert_eq!((own.times(0), own.times(1), own.patterns().len()), (3, 2, 1));
    let plain = contract("modadd 0xf1");
    assert_eq!((plain.times(0), plain.times(1)), (1, 1));
    assert!(plain.patterns().len() > 1);
    for text in
        ["modadd 0xf1 b*1", "modadd 0xf1 b*03", "modadd 0xf1 c*2", "modadd 0xf1 b*2 b*3", "modmul 0xf1 b*2"]
    {
        let error = text.parse::<Contract>().unwrap_err().to_string();
        assert!(error.contains("valid: a<p, b<p, r<p"), "{text}: {error}");
    }
}

/// Two numbers as one result, of which none has a bound or a place of its own.
#[test]
fn a_sum_and_a_difference_are_one_result() {
    let own = contract("modaddsub 2^255-19");
    assert_eq!((own.result(32), own.operands(32), own.patterns().len()), (16, vec![8, 8], 1));
    assert_eq!(own.to_string(), "modaddsub 2^255-2^4-2^2+1");
    for text in [
        "modaddsub 0xf1 r<p",
        "modaddsub 0xf1 b*2",
        "modaddsub 0xf1 (r, a)",
        "modaddsub 0xf1 -> 0",
        "modaddsub 0xfffffffb limbs 31 of 32",
    ] {
        assert!(text.parse::<Contract>().is_err(), "{text}");
    }
}

/// No limb counts more than the number, which bounds the highest ones; a number in full words has its bound as a whole, too.
#[test]
fn a_bound_of_a_number_is_one_of_its_limbs() {
    let own = contract("modsub 2^255-19 limbs 30 of 32 b<2p");
    assert_eq!(own.to_string(), "modsub 2^255-2^4-2^2+1 limbs 30 of 32 b<2p");
    let most = |operand| [0, 7, 8].map(|index| own.most(32, operand, index));
    assert_eq!((most(0), most(1)), ([0x3fff_ffff; 3], [0x3fff_ffff, 0x3fff_ffff, 0xffff]));
    let small = contract("modadd 2^255-19 limbs 26,25 of 32 a[i]<2*limb a<2^40");
    assert_eq!([0, 1, 2].map(|index| small.most(32, 0, index)), [(1 << 27) - 1, (1 << 14) - 1, 0]);
    let words = contract("modsub 2^255-19 b<2p");
    assert_eq!((own.bound_of_words(1, 32), words.bound_of_words(1, 32)), (None, words.bound(1, 32)));
    assert_eq!((words.most(32, 1, 7), own.bound(1, 32)), (u64::from(u32::MAX), words.bound(1, 32)));
    for text in ["modadd 2^255-19 limbs 30 of 32 r<p", "modadd 2^255-19 limbs 30 of 32 r[i]<2*limb r<2p"] {
        assert!(error(text).contains("valid: a bound of each limb"), "{text}");
    }
}

/// The word above a product by a word is returned, or a part of the result.
#[test]
fn the_word_above_may_be_stored() {
    let own = contract("mul 64 word (r, a, words, b) -> r");
    assert_eq!(own.to_string(), "mul 64 word (r, a, words, b) -> r");
    assert_eq!(own.returned(), Returned::Result);
    assert!(!own.returns_carry());
    assert_eq!((own.result(32), own.power(32)), (3, Some(96)));
    assert_eq!(contract("mul 64 word").result(32), 2);
    for text in ["mul 64 -> r", "add 64 -> r", "mac 64 word -> r", "modmul 0xf1 -> r"] {
        assert!(text.parse::<Contract>().is_err(), "{text}");
    }
}

/// Bytes, or limbs, with the highest first: of all numbers, or of the only operand or the result.
#[test]
fn numbers_may_lie_the_other_way_round() {
    let own = contract("add 64 big-endian");
    assert_eq!(own.to_string(), "add 64 big-endian");
    assert_eq!(own.turned(32, None, &[0x0102_0304, 5]), [0x0500_0000, 0x0403_0201]);
    assert_eq!(own.turned(8, Some(0), &[1, 2, 3]), [3, 2, 1]);
    let limbs = contract("mul 58 big-endian limbs 29 of 32");
    assert_eq!(limbs.to_string(), "mul 58 big-endian limbs 29 of 32");
    assert_eq!(limbs.turned(32, Some(1), &[7, 5]), [5, 7]);
    let read = contract("shl 64 0 big-endian a");
    assert_eq!((read.is_turned(Some(0)), read.is_turned(None)), (true, false));
    assert_eq!(contract("frommont 0xf1 big-endian r a<p").to_string(), "frommont 2^8-2^4+1 big-endian r a<p");
    // each of two numbers by itself, and a bit by value not at all
    let swap = contract("swap 32 big-endian");
    assert_eq!(swap.turned(16, None, &[0x0102, 3, 4, 5]), [0x0300, 0x0201, 0x0500, 0x0400]);
    assert!(!swap.is_turned(Some(2)));
    let both = contract("modaddsub 0xf1f3 big-endian");
    assert_eq!(both.turned(8, None, &[1, 2, 3, 4]), [2, 1, 4, 3]);
    for text in ["add 64 big-endian a", "add 64 big-endian big-endian", "gf2mul 8 big-endian"] {
        assert!(text.parse::<Contract>().is_err(), "{text}");
    }
}

/// Numbers in limbs are whole numbers, too: none is told modulo a power of two.
#[test]
fn whole_numbers_may_have_limbs() {
    let own = contract("mul 261 limbs 29 of 32");
    assert_eq!((own.operands(32), own.result(32), own.power(32)), (vec![9, 9], 18, None));
    let sum = contract("add 261 limbs 29 of 32 r[i]<2*limb");
    assert_eq!((sum.result(32), sum.returned(), sum.power(32)), (9, Returned::Void, None));
    assert_eq!(sum.to_string(), "add 261 limbs 29 of 32 r[i]<2*limb");
    assert_eq!(contract("less 261 limbs 29 of 32").returned(), Returned::Carry);
    for text in [
        "sub 261 limbs 29 of 32",
        "add 261 limbs 29 of 32 -> carry",
        "less 261 limbs 29 of 32 a[i]<2*limb",
        "mul 261 word limbs 29 of 32",
        "shl 261 1 limbs 29 of 32",
        "swap 261 limbs 29 of 32",
    ] {
        assert!(text.parse::<Contract>().is_err(), "{text}");
    }
}

/// Limbs on both sides of zero, whose bounds are told in hundredths.
#[test]
fn limbs_may_be_signed() {
    let own = contract("modmul 2^255-19 signed limbs 26,25 of 32 a[i]<1.65*limb r[i]<0.51*limb");
    assert_eq!(
        own.to_string(),
        "modmul 2^255-2^4-2^2+1 signed limbs 26,25 of 32 a[i]<1.65*limb r[i]<0.51*limb"
    );
    let limbs = own.limbs.unwrap();
    assert_eq!([0, 1].map(|index| limbs.most(0, index)), [110_729_625, 55_364_812]);
    assert_eq!((limbs.most(1, 0), limbs.most_of_result(1)), ((1 << 26) - 1, 17_112_760));
    // -1 and 1 times 2^26
    assert_eq!(own.number(32, &[0xffff_ffff, 1]), ((1 << 26) - 1).into());
    assert_eq!(own.number(32, &[0, 0xffff_ffff]), (-(1i64 << 26)).into());
    let most = [u64::from(u32::MAX), u64::from(u32::MAX) - 1].map(|word| limbs.fitting(0, 0, word));
    assert_eq!(most, [110_729_625, (1 << 32) - 110_729_625]);
    for word in [0, 1, 110_729_625, 1 << 31, 0xdead_beef] {
        assert!(limbs.value(limbs.fitting(0, 0, word)).unsigned_abs() <= 110_729_625);
    }
    for text in [
        "modadd 2^255-19 signed limbs 30 of 32 a<p",
        "less 261 signed limbs 29 of 32",
        "modadd 2^255-19 signed",
        "modadd 2^255-19 limbs 30 of 32 a[i]<1.655*limb",
        "modadd 2^255-19 limbs 30 of 32 a[i]<.5*limb",
        "modadd 2^255-19 limbs 30 of 32 a[i]<0*limb",
    ] {
        assert!(text.parse::<Contract>().is_err(), "{text}");
    }
    assert!("sub 261 signed limbs 29 of 32".parse::<Contract>().is_ok());
}

/// A processor with shorter words has several for each limb.
#[test]
fn limbs_may_lie_in_several_words() {
    let own = contract("modmul 2^36-5 big-endian limbs 13 of 16 a[i]<2*limb");
    assert_eq!((own.operands(8), own.result(8), own.radix(8)), (vec![6, 6], 6, 39));
    assert_eq!((0..6).map(|word| own.weight(8, word)).collect::<Vec<_>>(), [0, 8, 13, 21, 26, 34]);
    assert_eq!([0, 1, 2, 3].map(|word| own.most(8, 0, word)), [0xff, 0x3f, 0xff, 0x3f]);
    assert_eq!([0, 1].map(|word| own.most(8, 1, word)), [0xff, 0x1f]);
    assert_eq!(own.number(8, &[1, 2, 3, 4, 5, 6]), (0x201u64 + (0x403 << 13) + (0x605 << 26)).into());
    // limbs change places, and no byte in them does
    assert_eq!(own.turned(8, Some(0), &[1, 2, 3, 4, 5, 6]), [5, 6, 3, 4, 1, 2]);
    let limbs = own.limbs.unwrap();
    assert_eq!(limbs.parted(8, &[0x201, 0x403]), [1, 2, 3, 4]);
    assert_eq!(limbs.joined(8, &[1, 2, 3, 4]), [0x201, 0x403]);
    assert_eq!(limbs.joined(16, &[0x201, 0x403]), [0x201, 0x403]);
}
