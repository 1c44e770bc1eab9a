//! x
use rhomb_certificate::*;
use rhomb_samples::catalogue;
fn main() {
    let name = std::env::args().nth(1).unwrap();
    let s = catalogue().into_iter().find(|s| s.name == name).unwrap();
    let f = s.function();
    let c: Contract = s.contract.parse().unwrap();
    for (i, x) in s.code.iter().enumerate() {
        println!("{:#x} {}", 2 * i, rhomb_avr::syntax::gnu::instruction(x));
    }
    let t = std::time::Instant::now();
    let r = rhomb_prove::explain(&f, &c);
    println!("{r}");

    println!("{:?}", t.elapsed());
}
