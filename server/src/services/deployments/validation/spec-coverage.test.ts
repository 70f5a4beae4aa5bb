import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  ActionEvent,
  ActionKind,
  DeployState,
  deployments,
  IamResultType,
  MessageLevel,
  MessageType,
} from '@quayside/contract/deployments/endpoints'
import { LintResultType } from '@quayside/contract/deployments/result-place'
import { errorCatalogue, statusMessages } from '@quayside/contract/http/errors'
import { expect, test } from 'vitest'
import { assertedAt } from './spec-coverage.ts'

const root = resolve(import.meta.dirname, '../../../../..')
const rows = Object.entries(assertedAt).flatMap(([group, each]) =>
  Object.entries(each).map(([what, [file, words]]) => ({ name: `${group} ${what}`, file, words })),
)

test.each(rows)('$name is asserted in $file', ({ file, words }) => {
  expect(file).toMatch(/\.(test\.tsx?|story\.ts)$|\/(invariants|verdict|writers|api-cases)\.ts$/)
  expect(readFileSync(resolve(root, file), 'utf8')).toContain(words)
})

const codes = Object.keys(errorCatalogue).filter((code) => /^(deployment|database|values)\./.test(code))
const complete: [group: keyof typeof assertedAt, names: readonly string[]][] = [
  ['call', Object.keys(deployments)],
  ['action', ActionKind.options],
  ['state', Object.keys(DeployState)],
  ['lint result', LintResultType.options],
  ['IAM result', IamResultType.options],
  ['socket event', [...ActionEvent.shape.event.options, 'register', 'deregister']],
  ['message type', MessageType.options],
  ['message level', MessageLevel.options],
  ['error code', codes],
  ['status', Object.keys(statusMessages)],
]

test.each(complete)('every %s that there is stands in the table', (group, names) => {
  expect(Object.keys(assertedAt[group]).sort()).toEqual([...names].sort())
})
