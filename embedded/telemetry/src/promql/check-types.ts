import { type Binary, type Call, type Expression, QueryError, type ValueType } from './expression.ts'
import { SIGNATURES } from './signatures.ts'

const SAID = { scalar: 'scalar', vector: 'instant vector', matrix: 'range vector', string: 'string' } as const
const SET_OPERATORS = new Set(['and', 'or', 'unless'])
const COMPARISONS = new Set(['==', '!=', '<', '<=', '>', '>='])

function wanted(type: ValueType, expression: Expression, where: string): void {
  const found = checkTypes(expression)
  if (found !== type) throw new QueryError(`expected type ${SAID[type]} in ${where}, got ${SAID[found]}`)
}

/** The type of an expression's value; throws where an operand or argument has a wrong one. */
export function checkTypes(expression: Expression): ValueType {
  switch (expression.kind) {
    case 'number':
      return 'scalar'
    case 'string':
      return 'string'
    case 'selector':
      return selectorType(expression.matchers, expression.range)
    case 'subquery': {
      const type = checkTypes(expression.inner)
      if (type !== 'vector')
        throw new QueryError(`subquery is only allowed on instant vector, got ${SAID[type]} instead`)
      return 'matrix'
    }
    case 'negation': {
      const type = checkTypes(expression.inner)
      if (type === 'scalar' || type === 'vector') return type
      throw new QueryError(
        `unary expression only allowed on expressions of type scalar or instant vector, got ${SAID[type]}`,
      )
    }
    case 'aggregation': {
      const { op, inner, parameter } = expression
      wanted('vector', inner, 'aggregation expression')
      if (/^limit/.test(op)) throw new QueryError(`the aggregation ${op} is not supported`)
      if (parameter) wanted(op === 'count_values' ? 'string' : 'scalar', parameter, `parameter of ${op}`)
      return 'vector'
    }
    case 'call':
      return callType(expression)
    case 'binary':
      return binaryType(expression)
  }
}

function selectorType(matchers: readonly { op: string; value: string }[], range: number | undefined): ValueType {
  const narrows = matchers.some(({ op, value }) => {
    if (op === '=') return value !== ''
    if (op === '!=') return value === ''
    return op === '=~' ? !/^(\.\*|\(\.\*\)|)$/.test(value) : value === ''
  })
  if (!narrows) throw new QueryError('vector selector must contain at least one non-empty matcher')
  return range === undefined ? 'vector' : 'matrix'
}

function callType({ name, args }: Call): ValueType {
  const signature = SIGNATURES.get(name)
  if (!signature) throw new QueryError(`the function ${name} is not supported`)
  const { optional } = signature
  const most = optional === 'more' ? Infinity : signature.args.length
  const least = signature.args.length - (optional === 'more' ? 1 : (optional ?? 0))
  if (args.length < least || args.length > most) {
    throw new QueryError(
      `expected ${least === most ? least : `at least ${least}`} argument(s) in call to "${name}", got ${args.length}`,
    )
  }
  args.forEach((argument, index) => {
    const type = signature.args[Math.min(index, signature.args.length - 1)]
    if (type) wanted(type, argument, `call to function "${name}"`)
  })
  return signature.gives
}

function binaryType({ op, bool, left, right, matching }: Binary): ValueType {
  const types = [checkTypes(left), checkTypes(right)]
  if (types.some((type) => type !== 'scalar' && type !== 'vector')) {
    throw new QueryError('binary expression must contain only scalar and instant vector types')
  }
  const isScalar = types.includes('scalar')
  if (bool && !COMPARISONS.has(op)) throw new QueryError('bool modifier can only be used on comparison operators')
  if (SET_OPERATORS.has(op)) {
    if (isScalar) throw new QueryError(`set operator "${op}" not allowed in binary scalar expression`)
    if (matching.many) throw new QueryError(`no grouping allowed for "${op}" operation`)
  }
  if (isScalar && (matching.labels.length > 0 || matching.many)) {
    throw new QueryError('vector matching only allowed between instant vectors')
  }
  if (types[0] === 'vector' || types[1] === 'vector') return 'vector'
  if (COMPARISONS.has(op) && !bool) throw new QueryError('comparisons between scalars must use BOOL modifier')
  return 'scalar'
}
