import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allCases, type Case, spread } from './cases.ts'
import { runCase } from './run-case.ts'
import { createStage, type Stage } from './stage.ts'

/** `MATRIX=all` runs every case, `MATRIX="Deploy F19 throw"` those whose name contains it; else a spread of 64. */
const asked = process.env.MATRIX
const nameOf = ({ kind, point, deed }: Case) => `${kind} ${point} ${deed}`
const [part = 1, parts = 1] = (process.env.MATRIX_PART ?? '1/1').split('/').map(Number)
const cases = (
  asked === undefined ? spread(64) : allCases.filter((one) => asked === 'all' || nameOf(one).includes(asked))
).filter((_, index) => index % parts === part - 1)

let world: World
let stage: Stage
const folder = mkdtempSync(join(tmpdir(), 'quayside-matrix-'))
const armed = join(folder, 'armed')

beforeAll(async () => {
  writeFileSync(armed, '')
  world = await World.start({
    cluster: { speed: 20 },
    env: {
      LOG_LEVEL: 'warn',
      QUAYSIDE_FAILPOINTS: `@${armed}`,
      QUAYSIDE_LEASE_SECONDS: '3',
      QUAYSIDE_DEPLOY_TIMEOUT_SECONDS: '8',
    },
  })
  stage = await createStage(world, armed)
})
afterAll(async () => {
  await stage?.close()
  await world?.close()
  rmSync(folder, { recursive: true, force: true })
})

test.each(cases.map((one) => ({ name: nameOf(one), one })))('$name', { timeout: 120_000 }, async ({ one }) => {
  const outcome = await runCase(stage, one)
  if (asked !== undefined) console.log(nameOf(one), outcome.state, `${outcome.seconds} s`, outcome.broken.join('; '))
  expect(outcome.broken).toEqual([])
})
