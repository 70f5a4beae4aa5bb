import { expect, test } from 'vitest'
import { type AppModel, after, answerTo, assigned, untrueAnswers } from './app-model.ts'
import { planOf } from './plan.ts'

const ended = { kind: 'Deploy', state: 'Success', isCancelled: false, revisions: [1], isDeployed: true } as const
const installed: AppModel = after(assigned, ended)

test('an app is answered by what it is', () => {
  expect(answerTo('Deploy', assigned, 1)).toBe('202')
  expect(answerTo('Upgrade', assigned, 1)).toBe('409 deployment.not-deployed')
  expect(answerTo('Deploy', installed, 1)).toBe('409 deployment.release-name-taken')
  expect(answerTo('Rollback', installed, 1)).toBe('400 request.invalid')
  expect(answerTo('Rollback', installed, 2)).toBe('404 deployment.revision-not-found')
  const deleted = after(installed, { ...ended, kind: 'Delete', revisions: [], isDeployed: false })
  expect(answerTo('Delete', deleted, 1)).toBe('404 app.not-found')
})

test('access is there from the first success to the deletion', () => {
  const failed = after(assigned, { ...ended, state: 'Failed', isDeployed: false })
  expect(failed).toMatchObject({ hasAccess: false, isNamed: true })
  expect(installed.hasAccess).toBe(true)
  expect(after(installed, { ...ended, kind: 'Upgrade', state: 'Failed' }).hasAccess).toBe(true)
  expect(after(installed, { ...ended, kind: 'Delete', state: 'Failed' }).hasAccess).toBe('either')
  expect(after(assigned, { ...ended, state: 'Failed', isCancelled: true, revisions: [], isDeployed: false })).toEqual(
    assigned,
  )
})

test('two at the same time, and an answer that nothing explains, are found', () => {
  const upgrade = { kind: 'Upgrade', revision: 1, answer: '202', action: { from: 0, to: 10 } } as const
  const behind = { ...upgrade, answer: '409 deployment.already-running', action: undefined }
  expect(untrueAnswers([upgrade, behind], [installed])).toEqual([])
  expect(untrueAnswers([behind], [installed])).toHaveLength(1)
  expect(untrueAnswers([upgrade, { ...upgrade, action: { from: 9, to: 12 } }], [installed])).toHaveLength(1)
  expect(untrueAnswers([upgrade, { ...upgrade, action: { from: 10, to: 12 } }], [installed])).toEqual([])
  expect(untrueAnswers([{ ...upgrade, answer: '500 internal', action: undefined }], [installed])).toHaveLength(1)
})

test('a seed says what happens, and a longer run begins as a short one', () => {
  expect(planOf(7, 20, 3)).toEqual(planOf(7, 20, 3))
  expect(planOf(7, 20, 3).slice(0, 5)).toEqual(planOf(7, 5, 3))
  expect(planOf(7, 5, 3)).not.toEqual(planOf(8, 5, 3))
})
