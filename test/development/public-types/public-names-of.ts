import { fileURLToPath } from 'node:url';
import ts from 'typescript';

// Reads the sources of an entry of the package with TypeScript's compiler: the names that it exports, and the types
// that their signatures mention.

const root = fileURLToPath(new URL('../../..', import.meta.url));

export interface PublicName {
  readonly name: string;
  readonly hasComment: boolean;
  /**
   * Types of ours that the signature names, and that neither the entry nor one that it builds on exports. A type that a
   * member of an exported type has is named by that member: `PlayOptions['limits']`.
   */
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

/** Entries, as paths from the root of the repository, each with the entries whose types its callers import from there. */
export type Entries = Readonly<Record<string, readonly string[]>>;

/** The public names of each entry. */
export function publicNames(entries: Entries): ReadonlyMap<string, readonly PublicName[]> {
  const paths = Object.keys(entries).map((entry) => `${root}${entry}`);
  const host = ts.createCompilerHost(options);
  // Types of packages are not read: only their owner matters here, and reading them takes the most time.
  host.resolveModuleNameLiterals = (literals, from) =>
    literals.map(({ text }) =>
      text.startsWith('.')
        ? ts.resolveModuleName(text, from, options, host, undefined, undefined, ts.ModuleKind.ESNext)
        : { resolvedModule: undefined },
    );
  const program = ts.createProgram(paths, options, host);
  return new Map(Object.entries(entries).map(([entry, others]) => [entry, namesOf(program, entry, others)]));
}

function exportsOf(program: ts.Program, entry: string): readonly ts.Symbol[] {
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(`${root}${entry}`);
  const module = file && checker.getSymbolAtLocation(file);
  if (module === undefined) throw new Error(`${entry} exports nothing`);
  return checker.getExportsOfModule(module);
}

function namesOf(program: ts.Program, entry: string, others: readonly string[]): readonly PublicName[] {
  const checker = program.getTypeChecker();
  const exported = exportsOf(program, entry);
  const importable = [entry, ...others].flatMap((each) => exportsOf(program, each));
  const reachable = new Set(importable.map((symbol) => original(symbol, checker)));
  return exported.map((symbol) => {
    const meant = original(symbol, checker);
    const unreachable = namedBy(meant, checker).filter((named) => isOurs(named, program) && !reachable.has(named));
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
    if (seen.has(node) || isHidden(node) || isMember(node)) return;
    seen.add(node);
    if (ts.isTypeReferenceNode(node)) take(node.typeName);
    if (ts.isExpressionWithTypeArguments(node)) take(node.expression);
    if (ts.isImportTypeNode(node) && node.qualifier !== undefined) take(node.qualifier);
    const inferred = inferredType(node, checker);
    if (inferred !== undefined) visit(inferred);
    if (ts.isTypeQueryNode(node))
      for (const declaration of checker.getSymbolAtLocation(node.exprName)?.declarations ?? []) visit(declaration);
    else if (!ts.isVariableDeclaration(node)) ts.forEachChild(node, visit);
    else if (node.type !== undefined) visit(node.type);
  }

  for (const declaration of symbol.declarations ?? []) visit(declaration);
  return found;
}

/** A member of an interface, an object type or a class, whose type is named by the member. */
function isMember(node: ts.Node): boolean {
  if (ts.isHeritageClause(node)) return node.token === ts.SyntaxKind.ImplementsKeyword;
  return ts.isTypeElement(node) || (ts.isClassElement(node) && !ts.isConstructorDeclaration(node));
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
  if (!ts.isFunctionLike(node) || node.type !== undefined || ts.isConstructorDeclaration(node)) return undefined;
  const signature = checker.getSignatureFromDeclaration(node as ts.SignatureDeclaration);
  return signature && checker.typeToTypeNode(checker.getReturnTypeOfSignature(signature), node, flags);
}
