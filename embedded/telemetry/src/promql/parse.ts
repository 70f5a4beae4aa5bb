import type { SyntaxNode } from '@lezer/common'
import { parser } from '@prometheus-io/lezer-promql'
import { checkTypes } from './check-types.ts'
import {
  type At,
  type Expression,
  type Matcher,
  type Matching,
  QueryError,
  type Selector,
  type Subquery,
} from './expression.ts'
import { numberOf, stringOf } from './literals.ts'

/** The expression that a text of PromQL is; refuses what this engine does not know. */
export function parseQuery(text: string): Expression {
  const tree = parser.parse(text)
  const cursor = tree.cursor()
  do {
    if (cursor.type.isError) {
      const before = text.slice(0, cursor.from).split('\n')
      const place = `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`
      throw new QueryError(
        `${place}: parse error: unexpected ${JSON.stringify(text.slice(cursor.from, cursor.from + 20))}`,
      )
    }
  } while (cursor.next())
  const root = tree.topNode.firstChild
  if (!root) throw new QueryError('no expression found in input')
  const expression = new Reader(text).expression(root)
  checkTypes(expression)
  return expression
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = []
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (child.name !== 'LineComment') children.push(child)
  }
  return children
}

function present<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new QueryError('parse error: an operand is missing')
  return value
}

class Reader {
  readonly #text: string
  #depth = 0

  constructor(text: string) {
    this.#text = text
  }

  expression(node: SyntaxNode): Expression {
    if (++this.#depth > 200) throw new QueryError('parse error: the expression is nested too deeply')
    const read = this.#read(node)
    this.#depth--
    return read
  }

  #read(node: SyntaxNode): Expression {
    const children = childrenOf(node)
    switch (node.name) {
      case 'NumberDurationLiteral':
        return { kind: 'number', value: numberOf(this.#of(node).replace(/\s+/g, '')) }
      case 'StringLiteral':
        return { kind: 'string', value: stringOf(this.#of(node)) }
      case 'ParenExpr':
        return this.expression(present(children.find(({ name }) => name !== '(' && name !== ')')))
      case 'UnaryExpr': {
        const inner = this.expression(present(children[1]))
        return this.#of(present(children[0])) === '-' ? { kind: 'negation', inner } : inner
      }
      case 'VectorSelector':
        return this.#selector(children)
      case 'MatrixSelector':
        return this.#ranged(children)
      case 'SubqueryExpr':
        return this.#subquery(children)
      case 'OffsetExpr':
        return this.#offset(children)
      case 'StepInvariantExpr':
        return this.#at(children)
      case 'FunctionCall':
        return {
          kind: 'call',
          name: this.#of(present(children[0])).toLowerCase(),
          args: this.#arguments(present(children[1])),
        }
      case 'AggregateExpr':
        return this.#aggregation(children)
      case 'BinaryExpr':
        return this.#binary(children)
      default:
        throw new QueryError(`${node.name} is not supported`)
    }
  }

  #selector(children: SyntaxNode[]): Selector {
    const matchers: Matcher[] = []
    for (const child of children) {
      if (child.name === 'Identifier') matchers.push({ label: '__name__', op: '=', value: this.#of(child) })
      else if (child.name === 'LabelMatchers') matchers.push(...childrenOf(child).flatMap((one) => this.#matcher(one)))
    }
    if (matchers.filter(({ label, op }) => label === '__name__' && op === '=').length > 1) {
      throw new QueryError('metric name must not be set twice')
    }
    return { kind: 'selector', matchers, range: undefined, offset: 0, at: undefined }
  }

  #matcher(node: SyntaxNode): Matcher[] {
    if (node.name === 'QuotedLabelName') {
      return [{ label: '__name__', op: '=', value: stringOf(this.#of(node)) }]
    }
    if (node.name !== 'UnquotedLabelMatcher' && node.name !== 'QuotedLabelMatcher') return []
    const [label, op, value] = childrenOf(node)
    const name = this.#of(present(label))
    return [
      {
        label: label?.name === 'QuotedLabelName' ? stringOf(name) : name,
        op: this.#of(present(op)) as Matcher['op'],
        value: stringOf(this.#of(present(value))),
      },
    ]
  }

  #ranged(children: SyntaxNode[]): Expression {
    const inner = this.expression(present(children[0]))
    if (inner.kind !== 'selector' || inner.range !== undefined) {
      throw new QueryError('ranges only allowed for vector selectors')
    }
    if (inner.offset !== 0) throw new QueryError('no offset modifiers allowed before range')
    if (inner.at !== undefined) throw new QueryError('no @ modifiers allowed before range')
    const range = this.#positive(children.find(({ name }) => name === 'DurationExpr'))
    return { ...inner, range }
  }

  #subquery(children: SyntaxNode[]): Expression {
    const inner = this.expression(present(children[0]))
    const [range, step] = children.filter(({ name }) => name === 'DurationExpr')
    return {
      kind: 'subquery',
      inner,
      range: this.#positive(range),
      step: step && this.#positive(step),
      offset: 0,
      at: undefined,
    }
  }

  #positive(node: SyntaxNode | undefined): number {
    const ms = Math.round(this.#duration(present(node)) * 1000)
    if (!(ms > 0)) throw new QueryError('duration must be greater than 0')
    return ms
  }

  /** Seconds. */
  #duration(node: SyntaxNode): number {
    const children = childrenOf(node).filter(({ name }) => name !== '(' && name !== ')')
    const [first, second, third] = children
    if (children.length === 0) return numberOf(this.#of(node).replace(/[()\s]/g, ''))
    if (first?.name.startsWith('NumberDuration')) return numberOf(this.#of(first).replace(/\s+/g, ''))
    if (first && !second && /Expr$/.test(first.name)) return this.#duration(first)
    if (first?.name === 'UnaryOp' && second) {
      return this.#of(first) === '-' ? -this.#duration(second) : this.#duration(second)
    }
    if (first && second && third) {
      const [left, right] = [this.#duration(first), this.#duration(third)]
      switch (this.#of(second)) {
        case '+':
          return left + right
        case '-':
          return left - right
        case '*':
          return left * right
        case '/':
          if (right === 0) throw new QueryError('division by zero')
          return left / right
        case '%':
          if (right === 0) throw new QueryError('modulo by zero')
          return left % right
        case '^':
          return left ** right
      }
    }
    throw new QueryError(`the duration ${this.#of(node)} is not supported`)
  }

  /**
   * Moves a selector in time. The grammar takes `-a @ 5` and `a + b offset 5m` for shifts of the whole: the last selector is
   * meant, unless there are parentheses around it.
   */
  #shift(node: SyntaxNode, word: string, change: (inner: Selector | Subquery) => Expression): Expression {
    const inner = this.expression(node)
    const last = childrenOf(node).at(-1)
    if (node.name === 'UnaryExpr' && last) {
      const shifted = this.#shift(last, word, change)
      return inner.kind === 'negation' ? { ...inner, inner: shifted } : shifted
    }
    if (inner.kind === 'binary' && node.name === 'BinaryExpr' && last) {
      return { ...inner, right: this.#shift(last, word, change) }
    }
    if (inner.kind === 'selector' || inner.kind === 'subquery') return change(inner)
    throw new QueryError(
      `${word} modifier must be preceded by an instant vector selector or range vector selector or a subquery`,
    )
  }

  #offset(children: SyntaxNode[]): Expression {
    const offset = Math.round(this.#duration(present(children.at(-1))) * 1000)
    return this.#shift(present(children[0]), 'offset', (inner) => {
      if (inner.offset !== 0) throw new QueryError('offset may not be set multiple times')
      return { ...inner, offset }
    })
  }

  #at(children: SyntaxNode[]): Expression {
    const named = present(children.find(({ name }) => /^(NumberDurationLiteral|AtModifierPreprocessors)$/.test(name)))
    const at = this.#moment(children[0] === named ? present(children.at(-1)) : named)
    return this.#shift(present(children[0]), '@', (inner) => {
      if (inner.at !== undefined) throw new QueryError('@ <timestamp> may not be set multiple times')
      return { ...inner, at }
    })
  }

  #moment(node: SyntaxNode): At {
    const text = this.#of(node)
    if (node.name === 'AtModifierPreprocessors') return text.startsWith('start') ? 'start' : 'end'
    const at = numberOf(text.replace(/\s+/g, ''))
    if (!Number.isFinite(at)) throw new QueryError('timestamp out of bounds for @ modifier')
    return Math.round(at * 1000)
  }

  #arguments(body: SyntaxNode): Expression[] {
    return childrenOf(body)
      .filter(({ name }) => /[A-Za-z]/.test(name))
      .map((child) => this.expression(child))
  }

  #aggregation(children: SyntaxNode[]): Expression {
    const op = this.#of(present(children[0])).toLowerCase()
    const modifier = children.find(({ name }) => name === 'AggregateModifier')
    const args = this.#arguments(present(children.find(({ name }) => name === 'FunctionCallBody')))
    const [by, grouping] = modifier ? childrenOf(modifier) : []
    const wanted = /^(topk|bottomk|quantile|count_values)$/.test(op) ? 2 : 1
    if (args.length !== wanted) {
      throw new QueryError(
        `wrong number of arguments for aggregate expression provided, expected ${wanted}, got ${args.length}`,
      )
    }
    return {
      kind: 'aggregation',
      op,
      inner: present(args.at(-1)),
      parameter: wanted === 2 ? args[0] : undefined,
      labels: grouping ? this.#labels(grouping) : [],
      without: by !== undefined && this.#of(by).toLowerCase() === 'without',
    }
  }

  #labels(grouping: SyntaxNode): string[] {
    return childrenOf(grouping).flatMap((node) => {
      if (node.name === 'QuotedLabelName') return [stringOf(this.#of(node))]
      return node.name === 'LabelName' ? [this.#of(node)] : []
    })
  }

  #binary(children: SyntaxNode[]): Expression {
    const op = this.#of(present(children[1])).toLowerCase()
    if (op === '</' || op === '>/') throw new QueryError(`the operator ${op} is not supported`)
    if (children.some(({ name }) => name === 'FillModifier')) throw new QueryError('fill modifiers are not supported')
    const clause = children.find(({ name }) => name === 'MatchingModifierClause')
    return {
      kind: 'binary',
      op,
      bool: children.some(({ name }) => name === 'BoolModifier'),
      left: this.expression(present(children[0])),
      right: this.expression(present(children.at(-1))),
      matching: this.#matching(clause),
    }
  }

  #matching(clause: SyntaxNode | undefined): Matching {
    if (!clause) return { on: false, labels: [], many: undefined, include: [] }
    const parts = childrenOf(clause)
    const [labels, include] = parts.filter(({ name }) => name === 'GroupingLabels').map((node) => this.#labels(node))
    const has = (word: string) => parts.some((node) => node.name === word)
    const on = has('On')
    const repeated = on && include?.find((label) => labels?.includes(label))
    if (repeated) throw new QueryError(`label "${repeated}" must not occur in ON and GROUP clause at once`)
    return {
      on,
      labels: labels ?? [],
      many: has('GroupLeft') ? 'left' : has('GroupRight') ? 'right' : undefined,
      include: include ?? [],
    }
  }

  #of({ from, to }: SyntaxNode): string {
    return this.#text.slice(from, to)
  }
}
