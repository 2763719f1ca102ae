import { fileURLToPath } from 'node:url';
import ts from 'typescript';

// Reads the sources of an entry of the package with TypeScript's compiler: the names that it exports, and the types
// that their signatures mention.

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface PublicName {
  readonly name: string;
  readonly hasComment: boolean;
  /** Types of ours that the signature names and that the entry does not export. */
  readonly unreachable: readonly string[];
}

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  strict: true,
  exactOptionalPropertyTypes: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  lib: ['lib.es2023.d.ts'],
  types: [],
};

/** The public names of each entry, given as paths from the root of the repository. */
export function publicNames(entries: readonly string[]): ReadonlyMap<string, readonly PublicName[]> {
  const paths = entries.map((entry) => `${root}${entry}`);
  const host = ts.createCompilerHost(options);
  // Types of packages are not read: only their owner matters here, and reading them takes the most time.
  host.resolveModuleNameLiterals = (literals, from) =>
    literals.map(({ text }) =>
      text.startsWith('.')
        ? ts.resolveModuleName(text, from, options, host, undefined, undefined, ts.ModuleKind.ESNext)
        : { resolvedModule: undefined },
    );
  const program = ts.createProgram(paths, options, host);
  return new Map(entries.map((entry, index) => [entry, namesOf(program, paths[index] ?? '')]));
}

function namesOf(program: ts.Program, path: string): readonly PublicName[] {
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(path);
  const module = file && checker.getSymbolAtLocation(file);
  if (module === undefined) throw new Error(`${path} exports nothing`);
  const exported = checker.getExportsOfModule(module);
  const reachable = new Set(exported.map((symbol) => original(symbol, checker)));
  return exported.map((symbol) => {
    const meant = original(symbol, checker);
    const unreachable = namedBy(meant, checker).filter(
      (named) => isOurs(named, program) && !reachable.has(named),
    );
    return {
      name: symbol.name,
      hasComment: meant.getDocumentationComment(checker).length > 0,
      unreachable: [...new Set(unreachable.map(({ name }) => name))].sort(),
    };
  });
}

function original(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** Types of the language, of a package, or of the signature itself need no export of ours. */
function isOurs({ flags, declarations = [] }: ts.Symbol, program: ts.Program): boolean {
  return (
    (flags & (ts.SymbolFlags.TypeParameter | ts.SymbolFlags.TypeLiteral)) === 0 &&
    declarations.some((declaration) => !program.isSourceFileDefaultLibrary(declaration.getSourceFile()))
  );
}

/** The types in the public part of a declaration: not in bodies, nor in private members. */
function namedBy(symbol: ts.Symbol, checker: ts.TypeChecker): readonly ts.Symbol[] {
  const found: ts.Symbol[] = [];
  const seen = new Set<ts.Node>();

  function take(place: ts.Node): void {
    // A node that the checker has made has its symbol; a node in a file is looked up.
    const named = (place as { symbol?: ts.Symbol }).symbol ?? checker.getSymbolAtLocation(place);
    if (named !== undefined) found.push(original(named, checker));
  }

  function visit(node: ts.Node): void {
    if (seen.has(node) || isHidden(node)) return;
    seen.add(node);
    if (ts.isTypeReferenceNode(node)) take(node.typeName);
    if (ts.isExpressionWithTypeArguments(node)) take(node.expression);
    if (ts.isImportTypeNode(node) && node.qualifier !== undefined) take(node.qualifier);
    const inferred = inferredType(node, checker);
    if (inferred !== undefined) visit(inferred);
    if (ts.isTypeQueryNode(node))
      for (const declaration of checker.getSymbolAtLocation(node.exprName)?.declarations ?? [])
        visit(declaration);
    else if (!ts.isVariableDeclaration(node) || node.type !== undefined) ts.forEachChild(node, visit);
  }

  for (const declaration of symbol.declarations ?? []) visit(declaration);
  return found;
}

function isHidden(node: ts.Node): boolean {
  if (ts.isBlock(node)) return true;
  if (!ts.isClassElement(node)) return false;
  const isPrivate = ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Private;
  return isPrivate !== 0 || (node.name !== undefined && ts.isPrivateIdentifier(node.name));
}

/** The type that the compiler infers for a declaration without one. */
function inferredType(node: ts.Node, checker: ts.TypeChecker): ts.TypeNode | undefined {
  const flags = ts.NodeBuilderFlags.NoTruncation;
  if ((ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node)) && node.type === undefined)
    return checker.typeToTypeNode(checker.getTypeAtLocation(node), node, flags);
  if (!ts.isFunctionLike(node) || node.type !== undefined || ts.isConstructorDeclaration(node))
    return undefined;
  const signature = checker.getSignatureFromDeclaration(node as ts.SignatureDeclaration);
  return signature && checker.typeToTypeNode(checker.getReturnTypeOfSignature(signature), node, flags);
}
