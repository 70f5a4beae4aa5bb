import { deployments } from '@quayside/contract/deployments/endpoints'
import { permissions } from '@quayside/contract/permissions/endpoints'
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { useWizards } from '../../../api/deployments/wizards.tsx'
import { answer, drawInPortal, serving } from '../../../testing/portal.tsx'
import { anApp, pageOf } from '../../../testing/things.ts'
import { FailedInstall, hasNeverRun } from './failed-install.tsx'

const broken = anApp({ state: 'failed', revision: null, stateMessage: 'Not ready: the image cannot be pulled' })
const failed = { id: 'a1', kind: 'Deploy', state: 'Failed', spaceId: 's1', releaseName: 'web-7app001', result: null }

function Opened() {
  return <output aria-label="wizard">{JSON.stringify(useWizards().request ?? null)}</output>
}

it('says why the first installation failed, and tries it again', async () => {
  const calls = serving({
    ...answer(permissions.myScopes, { data: [] }),
    ...answer(deployments.listActions, pageOf(failed as never)),
    ...answer(deployments.retryAction, { actionId: 'a2', state: 'accepted', releaseName: 'web-7app001' }, { id: 'a1' }),
  })
  drawInPortal(
    <>
      <FailedInstall app={broken} />
      <Opened />
    </>,
    { route: 'apps/$appId', at: '/apps/7app001', roles: ['catalog.deploy'] },
  )
  expect((await screen.findByRole('alert')).textContent).toContain('Not ready: the image cannot be pulled')
  expect(screen.getByRole('link', { name: 'read the log' }).getAttribute('href')).toBe('/cloud-automation/a1')
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() =>
    expect(screen.getByRole('status', { name: 'wizard' }).textContent).toBe('{"kind":"follow","actionId":"a2"}'),
  )
  expect(calls.some(({ method, path }) => method === 'POST' && path.includes('/a1/retry'))).toBe(true)
})

it.each([
  [broken, true],
  [anApp({ state: 'failed', revision: 3 }), false],
  [anApp({ state: 'failed', releaseName: null, revision: null }), false],
  [anApp(), false],
])('is about apps that have never run alone', (app, expected) => expect(hasNeverRun(app)).toBe(expected))
