import { type Contestant, startReal, startSandbox } from './cluster/contestant.ts'
import { fillSandbox } from './cluster/fill.ts'
import { installsOf, ratesOf } from './cluster/rates.ts'
import type { Report } from './report.ts'
import { round } from './statistics.ts'

const NODES = Number(process.env.SANDBOX_NODES ?? 1000)
const PODS = Number(process.env.SANDBOX_PODS ?? 50_000)
const OBJECTS = 2000
const INSTALLS = 24
const GOAL_MIB = 1536

async function measured(contestant: Contestant | undefined) {
  if (!contestant) return undefined
  try {
    return { ...(await ratesOf(contestant, OBJECTS)), installs: await installsOf(contestant, INSTALLS) }
  } finally {
    await contestant.stop()
  }
}

/**
 * Measures how many objects the Sandbox holds and how fast it answers, next to a real kube-apiserver where one was
 * built.
 */
export async function sandbox(): Promise<Report> {
  const ours = await measured(await startSandbox())
  const real = await measured(await startReal())
  const full = await fillSandbox(NODES, PODS)
  const shown = (value: number | undefined, digits = 0) => (value === undefined ? '–' : round(value, digits))
  const pair = (
    what: string,
    unit: string,
    pick: (one: NonNullable<typeof ours>) => number | undefined,
    digits = 0,
  ) => [what, shown(ours && pick(ours), digits), shown(real && pick(real), digits), unit]
  return {
    bench: 'sandbox',
    columns: ['what', 'Sandbox', 'kube-apiserver', 'unit'],
    rows: [
      pair('config maps written, 8 at once', 'objects/s', ({ writes }) => writes),
      pair('config maps listed in pages of 500', 'objects/s', ({ lists }) => lists),
      pair('events to 10 watches while writing', 'events/s', ({ events }) => events),
      pair('helm install, 4 at once', 'installs/s', ({ installs }) => installs, 1),
      pair('memory that grew per config map of 0.5 KiB', 'bytes', ({ bytes }) => bytes),
      [`${full.pods} pods on ${NODES} nodes: all ready`, round(full.seconds, 1), '–', 's'],
      ['those pods listed in pages of 500', round(full.listRate), '–', 'objects/s'],
      ['memory: empty', round(full.empty), '–', 'MiB'],
      ['memory: full, at rest', round(full.rest), '–', 'MiB'],
      ['memory: full, the most', round(full.peak), '–', 'MiB'],
      ['memory: per pod, at rest', round(((full.rest - full.empty) * 2 ** 20) / full.pods), '–', 'bytes'],
    ],
    notes: [
      'kube-apiserver: with etcd and the controller manager, as `npm run kube-apiserver` built it; – where it was not.',
      `Goal: at most ${GOAL_MIB} MiB at any time. SANDBOX_PODS and SANDBOX_NODES make it smaller.`,
    ],
    isGoalMet: full.peak <= GOAL_MIB,
  }
}
