import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { NewEvent } from './event-store.ts'
import { createJournal } from './journal.ts'

const log = pino({ level: 'silent' })
const texts = (events: readonly NewEvent[]) => events.map((each) => each.payload.message)

test('lines become rows in order, and what is not written yet is handed to the last commit', async () => {
  const rows: unknown[] = []
  const write = async (events: readonly NewEvent[]) => rows.push(...texts(events)) > 0
  const journal = createJournal(write, () => undefined, log)
  journal.say('deploy', 'one')
  journal.say('deploy', 'two')
  await journal.settle()
  expect(rows).toEqual(['one', 'two'])
  journal.say('deploy', 'three')
  expect(texts(await journal.takeRest())).toEqual(['three'])
  journal.say('deploy', 'too late')
  expect(await journal.takeRest()).toEqual([])
})

test('a database that is away loses nothing', async () => {
  const rows: unknown[] = []
  let isAway = true
  const write = async (events: readonly NewEvent[]) => {
    if (isAway) throw new Error('away')
    return rows.push(...texts(events)) > 0
  }
  const journal = createJournal(write, () => undefined, log)
  journal.say('helm', 'one')
  await journal.settle()
  isAway = false
  journal.say('helm', 'two')
  await journal.settle()
  expect(rows).toEqual(['one', 'two'])
  expect(await journal.takeRest()).toEqual([])
})

test('whoever lost the fence learns it from the first line', async () => {
  let lost = 0
  const journal = createJournal(
    async () => false,
    () => {
      lost += 1
    },
    log,
  )
  journal.say('helm', 'one')
  await journal.settle()
  expect(lost).toBe(1)
})

test('hidden texts are gone before a line is a row', async () => {
  const journal = createJournal(
    async () => true,
    () => undefined,
    log,
  )
  journal.hide((text) => text.replace('hush', '••••••••'))
  journal.say('helm', 'password hush')
  expect(texts(await journal.takeRest())).toEqual(['password ••••••••'])
})

test('a line without a place is counted where it would stand; what ends a step always has one', async () => {
  const journal = createJournal(
    async () => {
      throw new Error('away')
    },
    () => undefined,
    log,
  )
  for (let count = 0; count < 20_010; count += 1) journal.say('helm', `line ${count}`)
  journal.add({ event: 'helmresult', payload: { state: 2 } })
  const rest = await journal.takeRest()
  expect(rest.slice(19_999).map(({ event, payload }) => [event, payload.message])).toEqual([
    ['message', 'line 19999'],
    ['message', '10 lines are left out here: the database was away for so long'],
    ['helmresult', undefined],
  ])
})

test('lines that wait to be released stand in their order, and what was taken out can be given back', async () => {
  const journal = createJournal(
    async () => true,
    () => undefined,
    log,
  )
  const line = (message: string) => () => journal.say('helm', message)
  journal.hold(line('one'))
  journal.say('deploy', 'meanwhile')
  journal.hold(line('two'))
  journal.release()
  const rest = await journal.takeRest()
  expect(texts(rest)).toEqual(['meanwhile', 'one', 'two'])
  journal.giveBack(rest)
  expect(texts(await journal.takeRest())).toEqual(['meanwhile', 'one', 'two'])
  expect(await journal.takeRest()).toEqual([])
})
