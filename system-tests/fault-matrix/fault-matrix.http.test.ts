import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allCases, type Case, spread } from './cases.ts'
import { failpointNames } from './failpoints.ts'
import { runCase } from './run-case.ts'
import { subjectOf } from './subject.ts'
import { openWorker, type Worker } from './worker.ts'

/**
 * `MATRIX=all` runs every case, `MATRIX="Deploy F19 throw"` those whose name matches it; else a spread of 64.
 * `MATRIX_WORLDS=3` runs them in three Worlds at a time, `MATRIX_PART=1/2` every second one.
 */
const asked = process.env.MATRIX
const nameOf = ({ kind, point, fault }: Case) => `${kind} ${point} ${fault}`
const [part = 1, parts = 1] = (process.env.MATRIX_PART ?? '1/1').split('/').map(Number)
const cases = (
  asked === undefined ? spread(64) : allCases.filter((one) => asked === 'all' || new RegExp(asked).test(nameOf(one)))
).filter((_, index) => index % parts === part - 1)

let free: Worker[] = []
const waiting: ((worker: Worker) => void)[] = []
const workers: Worker[] = []

beforeAll(async () => {
  for (let count = Number(process.env.MATRIX_WORLDS ?? 1); count > 0; count -= 1)
    workers.push(await openWorker(World.start))
  free = [...workers]
}, 300_000)
afterAll(async () => {
  for (const worker of workers) await worker.close()
})

async function inWorker<Result>(work: (worker: Worker) => Promise<Result>): Promise<Result> {
  const worker = free.shift() ?? (await new Promise<Worker>((resolve) => waiting.push(resolve)))
  try {
    return await work(worker)
  } finally {
    const next = waiting.shift()
    if (next) next(worker)
    else free.push(worker)
  }
}

test.skipIf(asked !== undefined && asked !== 'all')('every failpoint is there: armed, it strikes', () =>
  inWorker(async ({ stage }) => {
    const story = await stage.admin()
    try {
      stage.armEach(failpointNames, 'hang:1')
      const { app, body } = await subjectOf(stage, { kind: 'Deploy', point: '', fault: 'throw' })
      for (const [kind, command] of [
        ['Deploy', body],
        ['Delete', { app: { id: app?.id } }],
      ] as const) {
        const sent = await story.post<{ actionId: string }>(kind, command)
        expect((await story.ended(sent.body.actionId)).state).toBe('Success')
      }
      const { deletion } = await subjectOf(stage, { kind: 'DeleteSpace', point: '', fault: 'throw' })
      const sent = await story.call<{ actionId: string }>(deletion?.path ?? '', { method: 'DELETE' })
      expect((await story.ended(sent.body.actionId)).state).toBe('Success')
      await expect.poll(stage.left, { timeout: 5000 }).toBe('')
    } finally {
      stage.disarm()
    }
  }),
)

test.concurrent.each(cases.map((one) => ({ name: nameOf(one), one })))('$name', { timeout: 600_000 }, ({ name, one }) =>
  inWorker(async ({ stage }) => {
    const outcome = await runCase(stage, one)
    if (asked !== undefined) console.log(name, outcome.state, `${outcome.seconds} s`, outcome.broken.join('; '))
    expect(outcome.broken).toEqual([])
  }),
)
