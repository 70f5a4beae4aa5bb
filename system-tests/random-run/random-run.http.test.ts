import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorker, type Worker } from '../fault-matrix/worker.ts'
import { planOf } from './plan.ts'
import { newPlayer, type Player } from './player.ts'
import { runRound } from './run-round.ts'

/**
 * `RANDOM_STEPS=500 RANDOM_SEEDS=20` goes so far with so many seeds from `RANDOM_SEED=1` on, `RANDOM_MINUTES=120` begins
 * none after that time; else a few steps of one seed. A step is one order to one app.
 */
const numberOf = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise)
const apps = 3
const rounds = Math.ceil(numberOf('RANDOM_STEPS', 9) / apps)
const firstSeed = numberOf('RANDOM_SEED', 1)
const seeds = Array.from({ length: numberOf('RANDOM_SEEDS', 1) }, (_, nth) => firstSeed + nth)
const endsAt = performance.now() + numberOf('RANDOM_MINUTES', 24 * 60) * 60_000
const isLong = process.env.RANDOM_STEPS !== undefined

let worker: Worker
beforeAll(async () => {
  worker = await openWorker(World.start)
}, 300_000)
afterAll(() => worker?.close())

test.each(seeds)('seed %i', { timeout: 6 * 3_600_000 }, async (seed) => {
  const { stage } = worker
  const wrong: string[] = []
  const players: Player[] = []
  for (const [nth, round] of planOf(seed, rounds, apps).entries()) {
    if (performance.now() > endsAt) break
    for (let index = 0; index < apps; index += 1)
      if (players[index]?.model.isDeleted !== false) players[index] = await newPlayer(stage)
    const started = performance.now()
    const broken = await runRound(stage, players, round)
    const seconds = Math.round((performance.now() - started) / 1000)
    if (isLong) console.log(`seed ${seed} round ${nth + 1} of ${rounds}, ${seconds} s: ${broken.join('; ') || 'held'}`)
    if (broken.length === 0) continue
    wrong.push(...broken.map((line) => `RANDOM_SEED=${seed} round ${nth + 1}: ${line}\n  ${JSON.stringify(round)}`))
    // The next rounds begin with apps of which nothing is wrong yet.
    players.length = 0
  }
  expect(wrong).toEqual([])
})
