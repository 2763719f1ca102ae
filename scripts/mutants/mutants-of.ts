import ts from 'typescript';

/** One small change of a source file that a test should notice. */
export interface Mutant {
  readonly file: string;
  readonly line: number;
  /** The text of the line in which the change begins. */
  readonly within: string;
  readonly from: number;
  readonly to: number;
  readonly before: string;
  readonly after: string;
}

type Change = readonly [node: ts.Node, after: string];

/** Operators, and the operators that replace them. */
const operators: { readonly [operator: string]: string } = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
  '??=': '=',
  '||=': '=',
  '+=': '-=',
  '-=': '+=',
};

/** Methods, and the methods that are called instead. */
const methods: { readonly [name: string]: string } = {
  some: 'every',
  every: 'some',
  find: 'findLast',
  findLast: 'find',
  min: 'max',
  max: 'min',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  filter: 'slice',
};

/** All mutants of a file, in the order of its text. */
export function mutantsOf(file: string, text: string): Mutant[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
  const mutants: Mutant[] = [];
  const visit = (node: ts.Node): void => {
    // Types do not exist at run time, and imported names belong to other files.
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    for (const [place, after] of changesOf(node)) {
      const from = place.getStart(source);
      const line = source.getLineAndCharacterOfPosition(from).line + 1;
      const within = text.split('\n')[line - 1]?.trim() ?? '';
      mutants.push({ file, line, within, from, to: place.end, before: text.slice(from, place.end), after });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return mutants;
}

function changesOf(node: ts.Node): readonly Change[] {
  if (ts.isBinaryExpression(node)) return binaryChanges(node);
  if (ts.isIfStatement(node)) return truths(node.expression);
  if (ts.isConditionalExpression(node)) return truths(node.condition);
  if (ts.isWhileStatement(node)) return [[node.expression, 'false']];
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return [[node, node.operand.getText()]];
  if (ts.isCallExpression(node)) return callChanges(node);
  if (ts.isExpressionStatement(node)) return isUnreachable(node.expression) ? [] : [[node, ';']];
  if (ts.isContinueStatement(node) || ts.isBreakStatement(node)) return [[node, ';']];
  if (ts.isReturnStatement(node) && node.expression === undefined) return [[node, ';']];
  if (ts.isNumericLiteral(node)) return [[node, `(${node.text} + 1)`]];
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [[node, 'false']];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [[node, 'true']];
  if (ts.isStringLiteral(node)) return stringChanges(node);
  if (ts.isArrayLiteralExpression(node) && node.elements.length > 0) return [[node, '[]']];
  return [];
}

/** What the compiler proves to be out of reach, no test can reach either. */
function isUnreachable(node: ts.Expression): boolean {
  return ts.isCallExpression(node) && node.expression.getText() === 'unreachable';
}

function binaryChanges({ left, right, operatorToken }: ts.BinaryExpression): readonly Change[] {
  const operator = operatorToken.getText();
  if (operator === '??') return [[left.parent, left.getText()]];
  const after = operators[operator];
  const joinsTexts = /^\+=?$/.test(operator) && [left, right].some((side) => isText(side));
  return after === undefined || joinsTexts ? [] : [[operatorToken, after]];
}

function isText(node: ts.Node): boolean {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
}

function truths(condition: ts.Expression): readonly Change[] {
  return [
    [condition, 'true'],
    [condition, 'false'],
  ];
}

function callChanges({ expression }: ts.CallExpression): readonly Change[] {
  if (!ts.isPropertyAccessExpression(expression)) return [];
  const { text } = expression.name;
  const after = Object.hasOwn(methods, text) ? methods[text] : undefined;
  return after === undefined ? [] : [[expression.name, after]];
}

/**
 * Empties a string. Strings with a space are texts for people, which tests do not pin; quoted keys are names, not
 * values.
 */
function stringChanges(node: ts.StringLiteral): readonly Change[] {
  const isKey = ts.isPropertyAssignment(node.parent) && node.parent.name === node;
  return isKey || node.text === '' || node.text.includes(' ') ? [] : [[node, `''`]];
}

export function mutated(text: string, { from, to, after }: Mutant): string {
  return text.slice(0, from) + after + text.slice(to);
}
