import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { labelsOf, NAME } from '../promql/labels.ts'
import { openStore } from './store.ts'

const folder = mkdtempSync(join(tmpdir(), 'telemetry-store-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const UNLIMITED = { keepMs: Infinity, mostBytes: Infinity, mostSeries: Infinity }
const ALL = [{ label: NAME, op: '=', value: 'used' }] as const

function samples(pod: string, ...points: [number, number][]) {
  return {
    labels: labelsOf([
      [NAME, 'used'],
      ['pod', pod],
    ]),
    times: Float64Array.from(points, ([time]) => time),
    values: Float64Array.from(points, ([, value]) => value),
  }
}

const read = (store: ReturnType<typeof openStore>, from = 0, to = 1e15) =>
  [...store.select(ALL, from, to)].map(({ labels, times, values }) => ({
    pod: labels.get('pod'),
    points: Array.from(times, (time, index) => [time, values[index]]),
  }))

test('samples are there after the file is opened again, and only the newer ones of a repeated write are taken', () => {
  const file = join(folder, 'again.sqlite')
  const first = openStore(file, UNLIMITED)
  first.write([samples('a', [10, 1], [20, 2])])
  first.close()
  const second = openStore(file, UNLIMITED)
  expect(second.write([samples('a', [20, 9], [30, 3])])).toEqual({ written: 1, late: 1, refused: 0 })
  expect(read(second)).toEqual([
    {
      pod: 'a',
      points: [
        [10, 1],
        [20, 2],
        [30, 3],
      ],
    },
  ])
  expect(read(second, 15, 25)).toEqual([{ pod: 'a', points: [[20, 2]] }])
  second.close()
})

test('samples of many chunks are read as one series', () => {
  const store = openStore(':memory:', UNLIMITED)
  for (let at = 0; at < 1000; at += 50) {
    store.write([samples('a', ...Array.from({ length: 50 }, (_, index): [number, number] => [at + index, at + index]))])
  }
  expect(read(store, 100, 899)[0]?.points).toEqual(
    Array.from({ length: 800 }, (_, index) => [100 + index, 100 + index]),
  )
  store.close()
})

test('series beyond the limit are refused, others go on', () => {
  const store = openStore(':memory:', { ...UNLIMITED, mostSeries: 1 })
  expect(store.write([samples('a', [1, 1]), samples('b', [1, 1])])).toEqual({ written: 1, late: 0, refused: 1 })
  expect(store.write([samples('a', [2, 2])]).written).toBe(1)
  expect(read(store)).toEqual([
    {
      pod: 'a',
      points: [
        [1, 1],
        [2, 2],
      ],
    },
  ])
  store.close()
})

test('series that are too old go, and make room for others', () => {
  const store = openStore(':memory:', { ...UNLIMITED, keepMs: 100, mostSeries: 1 })
  store.write([samples('a', [10, 1])])
  store.prune(500)
  expect(store.series([], 0, 1000)).toEqual([])
  expect(store.write([samples('b', [450, 1])]).written).toBe(1)
  store.prune(500)
  expect(read(store)).toEqual([{ pod: 'b', points: [[450, 1]] }])
  store.close()
})

test('the oldest samples go where the file is too large', () => {
  const file = join(folder, 'large.sqlite')
  const store = openStore(file, { ...UNLIMITED, mostBytes: 200_000 })
  for (let pod = 0; pod < 40; pod++) {
    const points = Array.from({ length: 600 }, (_, index): [number, number] => [index * 1000 + pod, Math.random()])
    store.write([samples(`pod-${pod}`, ...points)])
  }
  store.prune(600_000)
  const left = read(store)
  expect(left.length).toBeGreaterThan(0)
  for (const { points } of left) {
    expect(points.length).toBeLessThan(600)
    expect(points.at(-1)?.[0]).toBeGreaterThan(598_000)
  }
  store.close()
})
