import { expect, test } from 'vitest'
import { RequestFailed } from '../../../../adapters/outgoing/outgoing.ts'
import { keyOf, type Offer, type Upstream } from '../upstream.ts'
import type { Line } from './run-writer.ts'
import { synchronise } from './synchronise.ts'

type Parts = Parameters<typeof synchronise>[0]

/** Synchronises with a catalog that is empty and takes everything; returns how it ended, with a line for each chart. */
async function run(upstream: Upstream, deadline = new AbortController().signal) {
  const lines: Line[] = []
  const counted = (outcome: Line['outcome']) => lines.filter((line) => line.outcome === outcome).length
  let ending = ''
  const parts = {
    ...{ upstream, deadline, signal: new AbortController().signal, tell: () => undefined },
    source: { charts: [], versions: 5, prereleases: false },
    run: { asked_by: null, created_at: new Date() },
    packages: { known: async () => new Map(), elsewhere: async () => new Map(), keep: async () => undefined },
    async takeIn(_: unknown, offer: Offer, receive: (file: unknown) => Promise<void>) {
      await receive(undefined)
      return { itemId: 'i', versionId: 'v', message: `${keyOf(offer)} is there.` }
    },
    writer: {
      ...{ taken: async () => new Set(), progress: async () => undefined },
      lines: async (more: Line[]) => void lines.push(...more),
      async end(...[stateOf, say]: Parameters<Parts['writer']['end']>) {
        const counts = { taken: counted('taken'), known: 0, refused: counted('refused'), skipped: counted('skipped') }
        ending = `${stateOf(counts)}: ${say(counts)}`
      },
    },
  }
  await synchronise(parts as unknown as Parts)
  return { ending, lines: lines.map(({ chart, outcome }) => `${chart} ${outcome}`) }
}

const offers = (fetch: Record<string, Offer['fetch']>): Upstream => ({
  list: async () => ({
    offers: Object.entries(fetch).map(([chart, one]) => ({ chart, version: '1.0.0', digest: null, fetch: one })),
    ...{ leftOut: [], there: new Set<string>() },
  }),
})
const comes = async () => 'sha256:a'
const silent = () => Promise.reject(new RequestFailed('Nobody answers.'))
const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

test('ends at its deadline, in the middle of a package, and leaves the rest for the next run', async () => {
  const deadline = new AbortController()
  const slow: Offer['fetch'] = (_, signal) => {
    queueMicrotask(() => deadline.abort(new Error('time is up')))
    return untilAborted(signal)
  }
  expect(await run(offers({ a: comes, b: slow, c: comes }), deadline.signal)).toEqual({
    ending: 'partly: It took longer than 30 minutes, so the rest waits for the next run. Added 1 version.',
    lines: ['a taken'],
  })
})

test('ends at its deadline while it reads what is there', async () => {
  const deadline = new AbortController()
  const upstream: Upstream = {
    list(_, signal) {
      queueMicrotask(() => deadline.abort(new Error('time is up')))
      return untilAborted(signal)
    },
  }
  expect((await run(upstream, deadline.signal)).ending).toMatch(/^failed: It took longer than 30 minutes/)
})

test('stops after three packages in a row that nobody answers for', async () => {
  expect(await run(offers({ a: silent, b: silent, c: comes, d: silent, e: silent, f: silent, g: comes }))).toEqual({
    ending:
      'partly: The source stopped answering, so the rest waits for the next run. Added 1 version; 5 were refused.',
    lines: ['a refused', 'b refused', 'c taken', 'd refused', 'e refused', 'f refused'],
  })
})
