import ts from 'typescript';

// Compares the declaration of a module with the module: a value that only the declaration has compiles, and fails at run
// time.

type Module = Readonly<Record<string, unknown>>;

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  strict: true,
  skipLibCheck: true,
  lib: ['lib.es2023.d.ts'],
  types: [],
};

/** What a declaration says of the values that a module exports, and the module does not keep. */
export function findMissingValues(modules: ReadonlyMap<string, Module>): readonly string[] {
  const program = ts.createProgram([...modules.keys()], options);
  const checker = program.getTypeChecker();
  return [...modules].flatMap(([path, module]) => {
    const file = program.getSourceFile(path);
    const symbol = file && checker.getSymbolAtLocation(file);
    if (symbol === undefined) throw new Error(`${path} declares nothing`);
    const declared = checker
      .getExportsOfModule(symbol)
      .map((each) =>
        each.flags & ts.SymbolFlags.Alias ? { each, meant: checker.getAliasedSymbol(each) } : { each, meant: each },
      )
      .filter(({ meant }) => meant.flags & ts.SymbolFlags.Value);
    const names = new Set(declared.map(({ each }) => each.name));
    return [
      ...declared.flatMap(({ each, meant }) =>
        Object.hasOwn(module, each.name)
          ? findMissingMembers(each.name, checker.getTypeOfSymbol(meant), module[each.name], checker)
          : [`${each.name} is declared and is not there`],
      ),
      ...Object.keys(module)
        .filter((name) => !names.has(name))
        .map((name) => `${name} is there and is not declared`),
    ];
  });
}

/** The members that a value lacks: those of objects, the methods of classes, and the items of lists of constants. */
function findMissingMembers(name: string, type: ts.Type, value: unknown, checker: ts.TypeChecker): readonly string[] {
  if (type.isLiteral()) return type.value === value ? [] : [`${name} is ${value}, not ${type.value}`];
  if (checker.isTupleType(type)) {
    const items = checker.getTypeArguments(type as ts.TypeReference);
    const given = Array.isArray(value) ? value : [];
    if (items.length !== given.length) return [`${name} has ${given.length} items, not ${items.length}`];
    return items.flatMap((item, index) => findMissingMembers(`${name}[${index}]`, item, given[index], checker));
  }
  const [construct] = type.getConstructSignatures();
  if (construct !== undefined) {
    if (typeof value !== 'function') return [`${name} is not a class`];
    return construct
      .getReturnType()
      .getProperties()
      .filter(({ flags }) => flags & (ts.SymbolFlags.Method | ts.SymbolFlags.Accessor))
      .filter((member) => !(member.name in value.prototype))
      .map((member) => `${name} has no ${member.name}`);
  }
  if (type.getCallSignatures().length > 0) return typeof value === 'function' ? [] : [`${name} is not a function`];
  if (checker.isArrayType(type)) return Array.isArray(value) ? [] : [`${name} is not a list`];
  if (typeof value !== 'object' || value === null) return [];
  return type
    .getProperties()
    .filter(({ flags }) => !(flags & ts.SymbolFlags.Optional))
    .flatMap((member) =>
      member.name in value
        ? findMissingMembers(
            `${name}.${member.name}`,
            checker.getTypeOfSymbol(member),
            (value as Module)[member.name],
            checker,
          )
        : [`${name} has no ${member.name}`],
    );
}
