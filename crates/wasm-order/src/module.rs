//! A module with its functions in another order.

use crate::alike;
use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{CodeSection, FunctionSection, Module};
use wasmparser::{CodeSectionReader, CustomSectionReader, FunctionSectionReader, Parser, Payload, TypeRef};

/// The module with functions that are alike side by side, and without custom sections; in one line what is wrong with
/// it otherwise.
pub(crate) fn ordered(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let line = |error: wasmparser::Error| error.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
    let mut module = Module::new();
    let mut order = Order::of(bytes).map_err(line)?;
    order.parse_core_module(&mut module, Parser::new(0), bytes).map_err(|error| match error {
        Error::ParseError(error) => line(error),
        error => error.to_string(),
    })?;
    Ok(module.finish())
}

/// Where functions go. Those of other modules are the first in both orders.
struct Order {
    /// The new index of each function.
    new: Vec<u32>,
    /// The module's own functions in their new order, counted from the first of them.
    own: Vec<usize>,
}

impl Order {
    fn of(bytes: &[u8]) -> Result<Order, wasmparser::Error> {
        let mut imported = 0;
        let mut bodies = Vec::new();
        for payload in Parser::new(0).parse_all(bytes) {
            match payload? {
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        imported += u32::from(matches!(import?.ty, TypeRef::Func(_) | TypeRef::FuncExact(_)));
                    }
                }
                Payload::CodeSectionEntry(body) => bodies.push(body.as_bytes()),
                _ => {}
            }
        }
        let own = alike::order(&bodies);
        let mut new: Vec<u32> = (0..imported).chain(own.iter().map(|_| 0)).collect();
        for (&old, place) in own.iter().zip(imported..) {
            new[imported as usize + old] = place;
        }
        Ok(Order { new, own })
    }

    /// What belongs to each of the module's own functions, in their new order.
    fn put<T: Clone>(&self, all: &[T]) -> Result<Vec<T>, Error<String>> {
        if all.len() != self.own.len() {
            return Err(Error::UserError(
                "there are more types of functions than functions, or fewer".to_owned(),
            ));
        }
        Ok(self.own.iter().map(|&old| all[old].clone()).collect())
    }
}

impl Reencode for Order {
    type Error = String;

    fn function_index(&mut self, function: u32) -> Result<u32, Error<String>> {
        let new = self.new.get(function as usize).copied();
        new.ok_or_else(|| Error::UserError(format!("there is no function {function}")))
    }

    fn parse_function_section(
        &mut self,
        to: &mut FunctionSection,
        from: FunctionSectionReader<'_>,
    ) -> Result<(), Error<String>> {
        for own in self.put(&from.into_iter().collect::<Result<Vec<_>, _>>()?)? {
            to.function(self.type_index(own)?);
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        to: &mut CodeSection,
        from: CodeSectionReader<'_>,
    ) -> Result<(), Error<String>> {
        for own in self.put(&from.into_iter().collect::<Result<Vec<_>, _>>()?)? {
            self.parse_function_body(to, own)?;
        }
        Ok(())
    }

    fn parse_custom_section(
        &mut self,
        _: &mut Module,
        _: CustomSectionReader<'_>,
    ) -> Result<(), Error<String>> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_encoder::{
        ConstExpr, ElementSection, Elements, EntityType, ExportKind, ExportSection, Function,
    };
    use wasm_encoder::{ImportSection, Instruction, NameMap, NameSection, RefType, TableSection, TableType};
    use wasm_encoder::{TypeSection, ValType};
    use wasmparser::{ElementItems, Operator};

    const IMPORTED: u32 = 0;
    const A: u32 = 1;
    const B: u32 = 2;
    const C: u32 = 3;

    /// Functions a, b and c, of which a and c are alike; each calls another one, and c that of another module, too.
    fn module(types_of_functions: &[u32]) -> Vec<u8> {
        let mut types = TypeSection::new();
        types.ty().function([], []);
        types.ty().function([ValType::I32], []);
        let mut imports = ImportSection::new();
        imports.import("page", "progress", EntityType::Function(0));
        let mut functions = FunctionSection::new();
        types_of_functions.iter().for_each(|&own| _ = functions.function(own));
        let mut tables = TableSection::new();
        tables.table(TableType {
            element_type: RefType::FUNCREF,
            table64: false,
            minimum: 2,
            maximum: None,
            shared: false,
        });
        let mut exports = ExportSection::new();
        exports.export("b", ExportKind::Func, B);
        let mut elements = ElementSection::new();
        elements.active(None, &ConstExpr::i32_const(0), Elements::Functions([C, A].as_slice().into()));
        let mut code = CodeSection::new();
        code.function(&body(&[10, 11, 12, 13, 14, 15, 16, 17, 1], &[B]));
        code.function(&body(&[30, 31, 32, 33, 34, 35, 36, 37, 2], &[C]));
        code.function(&body(&[10, 11, 12, 13, 14, 15, 16, 17, 3], &[A, IMPORTED]));
        let mut named = NameMap::new();
        named.append(A, "a");
        let mut names = NameSection::new();
        names.functions(&named);
        let mut module = Module::new();
        module.section(&types).section(&imports).section(&functions).section(&tables).section(&exports);
        module.section(&elements).section(&code).section(&names);
        module.finish()
    }

    fn body(numbers: &[i32], calls: &[u32]) -> Function {
        let mut body = Function::new([]);
        for &number in numbers {
            body.instruction(&Instruction::I32Const(number)).instruction(&Instruction::Drop);
        }
        for &call in calls {
            body.instruction(&Instruction::Call(call));
        }
        body.instruction(&Instruction::End);
        body
    }

    /// What a module says of functions, by their indices.
    #[derive(Debug, PartialEq)]
    struct Read {
        types: Vec<u32>,
        /// The last number, which tells functions apart, and the calls.
        bodies: Vec<(i32, Vec<u32>)>,
        exported: u32,
        elements: Vec<u32>,
        custom: usize,
    }

    fn read(bytes: &[u8]) -> Result<Read, wasmparser::Error> {
        let mut read = Read { types: vec![], bodies: vec![], exported: 0, elements: vec![], custom: 0 };
        for payload in Parser::new(0).parse_all(bytes) {
            match payload? {
                Payload::FunctionSection(types) => {
                    read.types = types.into_iter().collect::<Result<_, _>>()?
                }
                Payload::ExportSection(exports) => {
                    for export in exports {
                        read.exported = export?.index;
                    }
                }
                Payload::ElementSection(elements) => {
                    for element in elements {
                        let ElementItems::Functions(functions) = element?.items else { continue };
                        read.elements = functions.into_iter().collect::<Result<_, _>>()?;
                    }
                }
                Payload::CodeSectionEntry(body) => {
                    let mut own = (0, vec![]);
                    for operator in body.get_operators_reader()? {
                        match operator? {
                            Operator::I32Const { value } => own.0 = value,
                            Operator::Call { function_index } => own.1.push(function_index),
                            _ => {}
                        }
                    }
                    read.bodies.push(own);
                }
                Payload::CustomSection(_) => read.custom += 1,
                _ => {}
            }
        }
        Ok(read)
    }

    #[test]
    fn indices_mean_the_same_functions() {
        let given = module(&[0, 1, 0]);
        assert_eq!(
            read(&given).unwrap(),
            Read {
                types: vec![0, 1, 0],
                bodies: vec![(1, vec![B]), (2, vec![C]), (3, vec![A, IMPORTED])],
                exported: B,
                elements: vec![C, A],
                custom: 1
            }
        );
        // a, c, b
        assert_eq!(
            read(&ordered(&given).unwrap()).unwrap(),
            Read {
                types: vec![0, 0, 1],
                bodies: vec![(1, vec![3]), (3, vec![1, 0]), (2, vec![2])],
                exported: 3,
                elements: vec![2, 1],
                custom: 0
            }
        );
    }

    #[test]
    fn what_is_no_module_is_refused() {
        let fault = ordered(b"no module").unwrap_err();
        assert!(fault.starts_with("magic header not detected") && !fault.contains('\n'), "{fault}");
        let fault = ordered(&module(&[0, 1])).unwrap_err();
        assert!(fault.contains("function and code section have inconsistent lengths"), "{fault}");
        let mut unknown = module(&[0, 1, 0]);
        let export = unknown.windows(3).position(|bytes| bytes == [b'b', 0, 2]).unwrap();
        unknown[export + 2] = 4;
        assert_eq!(ordered(&unknown).unwrap_err(), "there is no function 4");
    }

    #[test]
    fn no_byte_makes_it_panic() {
        let given = module(&[0, 1, 0]);
        for place in 0..given.len() {
            _ = ordered(&given[..place]);
            for byte in 0..=255 {
                let mut changed = given.clone();
                changed[place] = byte;
                _ = ordered(&changed);
            }
        }
    }
}
