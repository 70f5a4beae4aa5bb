type Operator = (left: number, right: number) => number
type Comparison = (left: number, right: number) => boolean

export const ARITHMETIC: Readonly<Record<string, Operator>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right,
  '^': (left, right) => (left === 1 || (left === -1 && Math.abs(right) === Infinity) ? 1 : left ** right),
  atan2: Math.atan2,
}

export const COMPARISONS: Readonly<Record<string, Comparison>> = {
  '==': (left, right) => left === right,
  '!=': (left, right) => left !== right,
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
}
