import { changeValues, openValues } from '@quayside/values/form/values-model'
import { parseDocument } from 'yaml'
import type { Report } from './report.ts'
import { median, quantile, ratioOf, round } from './statistics.ts'
import { type Sample, samples } from './values/samples.ts'
import { typeIntoForm } from './values/type-into-form.ts'

const rounds = 60
const goalMs = 10
const goalRatio = 1 / 10

/** One edit of a form over 100 KiB of values: text, value and form after it; against parsing and printing all of it. */
export async function valuesEdit(): Promise<Report> {
  const measured = samples().map(measure)
  const typed = await typeIntoForm(samples()[0] as Sample)
  const isFast = measured.every(({ p95, ratio }) => p95 < goalMs && ratio.ratio <= goalRatio)
  return {
    bench: 'values-edit',
    columns: ['values', 'KiB', 'edit ms', 'p95', 'yaml ms', 'ratio', '95 % of resamplings'],
    rows: measured.map(({ name, bytes, ours, p95, peer, ratio }) => [
      name,
      round(bytes / 1024),
      round(ours, 2),
      round(p95, 2),
      round(peer, 1),
      round(ratio.ratio, 3),
      `${round(ratio.low, 3)}–${round(ratio.high, 3)}`,
    ]),
    notes: [
      `Goals: every edit at the 95th percentile below ${goalMs} ms, ratio at most ${goalRatio}.`,
      `In Chromium, ${typed.edits} edits of a field over ${round(typed.bytes / 1024)} KiB: each took the main thread ` +
        `${round(typed.medianThreadMs, 1)} ms in the middle and ${round(typed.threadMs, 1)} ms at the 95th percentile ` +
        `with its scripts, styles and layout; the edit itself ${round(typed.editMs, 1)} ms at the 95th percentile; ` +
        `the longest task ${round(typed.longestTaskMs)} ms (${typed.longTasks} of more than 50 ms).`,
      `${typed.letters} letters typed into the YAML view: the longest task took ${round(typed.yaml.longestTaskMs)} ms ` +
        `(${typed.yaml.longTasks} of more than 50 ms), all scripts of the page ${round(typed.yaml.editMs, 1)} ms a letter.`,
    ],
    isGoalMet: isFast && isFluent(typed),
  }
}

function isFluent({ longTasks, threadMs, editMs, yaml }: Awaited<ReturnType<typeof typeIntoForm>>): boolean {
  const hasLongTask = longTasks > 0 || yaml.longTasks > 0
  return !hasLongTask && threadMs < goalMs && editMs < goalMs && yaml.editMs < goalMs
}

function measure({ name, text, path }: Sample) {
  let model = openValues(text, undefined)
  let document = parseDocument(text)
  // One after the other and not in turns: an edit would pay for the garbage of the library, far more than its own.
  const ours = timed(name, (value) => {
    model = changeValues(model, path, { kind: 'value', value })
    return model.text
  })
  const peers = timed(name, (value) => {
    document = parseDocument(document.toString())
    document.setIn(path, value)
    return document.toString()
  })
  const ratio = ratioOf(ours, peers)
  return { name, bytes: text.length, ours: median(ours), p95: quantile(ours, 0.95), peer: median(peers), ratio }
}

function timed(name: string, edit: (value: string) => string): number[] {
  const times: number[] = []
  for (let round = 0; round < rounds + 10; round += 1) {
    const value = `value ${round}`
    const start = performance.now()
    const text = edit(value)
    const end = performance.now()
    if (!text.includes(value)) throw new Error(`${name}: the edit was not made`)
    // The first rounds are for the compiler.
    if (round >= 10) times.push(end - start)
  }
  return times
}
