import { expect, test } from 'vitest'
import { type EndInput, endingOf, timeoutResult } from './ending.ts'

const end: EndInput = {
  kind: 'Deploy',
  state: 'Success',
  summary: 'web 1.0.0 is deployed',
  lines: [],
  ranHelm: true,
  timedOut: false,
}
const names = (input: EndInput) => endingOf(input).events.map((each) => each.event)

test('a deployment ends with the message, the result of Helm and the result of the action', () => {
  expect(names(end)).toEqual(['message', 'helmresult', 'Deploy'])
  expect(endingOf(end).events[0]?.payload).toEqual({
    type: 'deploy',
    message: 'Deploy result of App: Success',
    level: 'info',
  })
  expect(endingOf(end).result).toMatchObject({ state: 0, summary: 'web 1.0.0 is deployed' })
})

test('after a timeout it is the hook result that ends the waiting', () => {
  expect(timeoutResult('Deploy')).toMatchObject({ state: 2, message: 'Timeout received, waiting for HELM...' })
  const failed: EndInput = { ...end, state: 'Failed', timedOut: true }
  expect(names(failed)).toEqual(['message', 'hookresult', 'Deploy'])
  expect(endingOf(failed).events[1]?.payload).toMatchObject({ state: 1, summary: 'Deployment finished' })
})

test('an upgrade speaks of itself, and without Helm there is no result of Helm', () => {
  const upgrade: EndInput = { ...end, kind: 'Upgrade', state: 'Failed', ranHelm: false }
  expect(endingOf(upgrade).events[0]?.payload.message).toBe('Upgrade result of App: Failed')
  expect(names(upgrade)).toEqual(['message', 'Upgrade'])
})

test('an end that failed is an error in the log, and a timeout only a remark on the way', () => {
  const { events } = endingOf({
    kind: 'Upgrade',
    state: 'Failed',
    summary: 'Upgrade failed: refused',
    lines: [],
    ranHelm: false,
    timedOut: false,
  })
  expect(events[0]?.payload).toMatchObject({ message: 'Upgrade result of App: Failed', level: 'error' })
  expect(timeoutResult('Upgrade')).toMatchObject({ state: 2, lines: [{ isSummary: true, resultType: 'info' }] })
})
