/**
 * A round number, not less than the largest value, that divides well into halves.
 * @param thousand 1024 for bytes, which are told in powers of it
 */
export function topOf(values: readonly number[], thousand: 1000 | 1024 = 1000): number {
  const largest = Math.max(0, ...values)
  if (largest === 0) return 1
  const unit = thousand ** Math.floor(Math.log(largest) / Math.log(thousand))
  const power = unit * 10 ** Math.floor(Math.log10(largest / unit))
  const step = [1, 2, 4, 5, 8, 10].find((factor) => factor * power >= largest) ?? 10
  return step * power
}

type Values = readonly (number | null)[]

/** Runs of points that have a value, each from its first to its last index. */
function runsOf(values: Values): [first: number, last: number][] {
  const runs: [number, number][] = []
  values.forEach((value, at) => {
    const run = runs.at(-1)
    if (value === null) return
    if (run?.[1] === at - 1) run[1] = at
    else runs.push([at, at])
  })
  return runs
}

/** Paths of a line and of the area below it in a drawing of 1000 by 100; where values are missing is a gap. */
export function pathsOf(values: Values, top: number): { line: string; area: string } {
  const last = Math.max(1, values.length - 1)
  const x = (at: number) => round((at / last) * 1000)
  const y = (at: number) => round(100 - (Math.min(values[at] ?? 0, top) / top) * 100)
  const lines: string[] = []
  const areas: string[] = []
  for (const [first, end] of runsOf(values)) {
    const points = Array.from({ length: end - first + 1 }, (_, index) => `${x(first + index)} ${y(first + index)}`)
    // A single point is drawn as a line of no length, which a round cap shows as a dot.
    lines.push(`M${points.join('L')}${points.length === 1 ? 'h0' : ''}`)
    areas.push(`M${x(first)} 100L${points.join('L')}L${x(end)} 100Z`)
  }
  return { line: lines.join(''), area: areas.join('') }
}

const round = (value: number) => Math.round(value * 100) / 100
