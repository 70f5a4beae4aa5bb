import { expect, test } from 'vitest'
import { interruption, lastWords, reasonOf } from './helm-words.ts'

const away = 'UPGRADE FAILED: query: failed to query with labels: Unauthorized'
const busy = 'UPGRADE FAILED: another operation (install/upgrade/rollback) is in progress'
const held = 'Somebody outside this portal is probably working on the release with Helm'

test.each([
  ['Helm says nothing', null, 'refused', 'Helm refused', false, 'Helm refused'],
  [
    'a first installation is no upgrade',
    away,
    'refused',
    'Helm refused',
    false,
    'query: failed to query with labels: Unauthorized',
  ],
  ['another Helm holds the release', busy, 'refused', held, true, held],
  [
    'another Helm held it a moment ago',
    busy,
    'refused',
    'Helm refused, revision 2 stays deployed',
    false,
    'Helm refused, revision 2 stays deployed. Another Helm was at work on the release at that moment: try again',
  ],
  ['the API was away', 'UPGRADE FAILED: EOF', 'api-unavailable', 'It was away', false, 'It was away: EOF'],
] as const)('%s', (_, said, last, because, isHeld, reason) => {
  expect(reasonOf(said, last, because, isHeld)).toBe(reason)
})

test('a revision that was left locked says what Helm said', () => {
  expect(interruption('Helm was interrupted', away)).toBe(
    'Interrupted: Helm was interrupted: query: failed to query with labels: Unauthorized',
  )
  expect(interruption('Helm was interrupted', null)).toBe('Interrupted: Helm was interrupted')
  expect(interruption('Helm was interrupted', 'x'.repeat(9999)).length).toBeLessThan(400)
})

test.each([
  [
    'a chart that stops itself, over two lines',
    'level=DEBUG msg=x\nError: INSTALLATION FAILED: execution error at (sonarqube/templates/secret.yaml:3:4): \nPlease provide a passcode\n',
    'INSTALLATION FAILED: Please provide a passcode',
  ],
  [
    'a value that is required',
    'Error: UPGRADE FAILED: execution error at (web/templates/a.yaml:1:2): image is required',
    'UPGRADE FAILED: image is required',
  ],
  ['the last error counts', 'Error: first\nError: second\n', 'second'],
  ['a line without a mark', 'something\nbroke\n', 'broke'],
  ['a chart that says nothing', 'Error: execution error at (a:1:2): ', 'execution error at (a:1:2):'],
  ['nothing', '', null],
])('the last words of Helm: %s', (_, stderr, words) => {
  expect(lastWords(stderr)).toBe(words)
})
