//! The Python package: its functions against this program, and the cells of its notebooks; the build script of the example crate.

#[path = "../../../examples/build-script/build.rs"]
#[allow(dead_code, unreachable_pub)]
mod build_script;

#[test]
fn the_example_s_build_script_writes_a_proved_routine() {
    let folder = tempfile::tempdir().unwrap();
    build_script::write(folder.path()).unwrap();
    let text = std::fs::read_to_string(folder.path().join("mul128.s")).unwrap();
    assert!(text.contains("proof       "), "{text}");
    assert!(text.contains("\nmul128:") && !text.lines().any(|line| line.starts_with("#if")), "{text}");
}

/// Runs a script with the package on its path.
#[cfg(feature = "oracles")]
fn python(script: &str) -> String {
    let package = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../python");
    let output = std::process::Command::new("python3")
        .args(["-B", "-c", script])
        .env("PYTHONPATH", &package)
        .env("RHOMB_PROGRAM", env!("CARGO_BIN_EXE_rhomb"))
        .current_dir(&package)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    String::from_utf8(output.stdout).unwrap()
}

#[cfg(feature = "oracles")]
#[test]
fn functions_give_what_the_program_prints() {
    let script = r#"
import rhomb
report = rhomb.measure("mul", bits=64, target="atmega128", method="product-scanning")
both = rhomb.measure("sqr", bits=64, target=["atmega128", "arm7tdmi"])
routine = rhomb.generate("mul", bits=64, target="atmega128")
assert routine.report["proof"] == "proved" and routine.certificate, routine.report
assert "mul64:" in routine.assembly and "mul64(" in routine.header
plain = rhomb.generate("mul", bits=64, target="atmega128", no_proof=True)
assert plain.report["proof"] == "not-run" and plain.certificate is None
verdict = rhomb.verify("../crates/rhomb/tests/data/museum.o", symbol="mul16", contract="mul 16", target="atmega128")
assert rhomb.draw("mul", bits=32, target="atmega128").startswith("<svg ")
assert rhomb.draw("mul", bits=32, target="atmega128", format="png").startswith(b"\x89PNG")
assert rhomb.records("sqr", target="arm7tdmi", bits=160)[0]["operation"] == "sqr"
assert rhomb.reproduce("hutter-wenger", table=2)[0]["paper"] == "hutter-wenger"
assert any(target["name"] == "atmega128" for target in rhomb.targets())
try:
    rhomb.measure("mul", bits=0, target="atmega128")
except rhomb.Refused as refused:
    assert "valid: 1 to 32768" in refused.fault and refused.hint, refused
else:
    raise SystemExit("0 bits are taken")
print(report["method"], report["bits"], [one["target"] for one in both], verdict["proof"])
"#;
    assert_eq!(python(script), "product-scanning 64 ['atmega128', 'arm7tdmi'] proved\n");
}

/// With a stand-in for matplotlib, which is not needed for anything else here.
#[cfg(feature = "oracles")]
#[test]
fn cells_of_the_notebook_run() {
    let script = r#"
import json, sys, types
sys.modules["IPython"] = None
calls = []
pyplot = types.ModuleType("matplotlib.pyplot")
pyplot.__getattr__ = lambda name: lambda *given, **named: calls.append((name, given))
sys.modules["matplotlib"] = types.ModuleType("matplotlib")
sys.modules["matplotlib.pyplot"] = pyplot
cells = json.load(open("notebooks/cycles.ipynb"))["cells"]
scope = {}
for cell in cells:
    if cell["cell_type"] == "code":
        exec("".join(cell["source"]), scope)
lines = [given for name, given in calls if name == "plot"]
bars = [given for name, given in calls if name == "bar"][0]
assert len(lines) == 5 and all(len(cycles) == 4 and cycles == sorted(cycles) for _, cycles in lines), lines
assert len(bars[0]) == len(bars[1]) == 12 and all(0.5 < ratio < 1.5 for ratio in bars[1]), bars
"#;
    assert!(python(script).contains("bytes of SVG"));
}
