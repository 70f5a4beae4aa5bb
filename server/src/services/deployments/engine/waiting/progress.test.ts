import { expect, test } from 'vitest'
import { progressLine } from './progress.ts'

const web = { kind: 'Deployment', name: 'web', ready: false, detail: '0/1 ready', lastEvent: 'Pulling image "nginx"' }
const done = { kind: 'Service', name: 'web', ready: true, detail: '', lastEvent: null }
const start = { ready: 1, total: 2, objects: [web, done] }

test('the first look names what is not ready yet, with its last event', () => {
  expect(progressLine(null, start)).toEqual({
    message: 'Waiting for 1 of 2: Deployment web 0/1 ready: Pulling image "nginx"',
    level: 'info',
  })
})

test('nothing new, no line', () => {
  expect(progressLine(start, structuredClone(start))).toBeNull()
})

test('a new event of the same object is for those who read everything', () => {
  const next = { ...start, objects: [{ ...web, lastEvent: 'Started container' }, done] }
  expect(progressLine(start, next)).toMatchObject({ level: 'debug', message: expect.stringContaining('Started') })
})

test('a step forward is worth a line, the last step too, once', () => {
  const half = { ...start, objects: [{ ...web, detail: '1/2 ready' }, done] }
  expect(progressLine(start, half)).toMatchObject({ level: 'info' })
  const all = { ready: 2, total: 2, objects: [{ ...web, ready: true }, done] }
  expect(progressLine(half, all)).toEqual({ message: 'All 2 objects are ready', level: 'info' })
  expect(progressLine(all, all)).toBeNull()
})

test('a long list is cut', () => {
  const objects = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ ...web, name, lastEvent: null }))
  expect(progressLine(null, { ready: 0, total: 5, objects })?.message).toBe(
    'Waiting for 5 of 5: Deployment a 0/1 ready; Deployment b 0/1 ready; Deployment c 0/1 ready, and 2 more',
  )
})

test('before there is anything to wait for, there is nothing to say', () => {
  expect(progressLine(null, { ready: 0, total: 0, objects: [] })).toBeNull()
})

test('of a deletion it says what is not gone yet, and nothing of readiness', () => {
  const there = { ...web, detail: 'Being removed', lastEvent: null }
  const some = { ready: 1, total: 2, objects: [there, { ...done, detail: 'Removed' }] }
  expect(progressLine(null, some, true)).toEqual({
    message: 'Waiting until 1 of 2 objects are removed: Deployment web Being removed',
    level: 'info',
  })
  const none = { ready: 2, total: 2, objects: [{ ...there, ready: true, detail: 'Removed' }] }
  expect(progressLine(some, none, true)).toEqual({ message: 'All 2 objects are removed', level: 'info' })
})
