import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { drawInPortal, serving } from '../../testing/portal.tsx'
import { actionControl, useMay } from './my-scopes.ts'

const myScopesPath = '/portal-api/v3/scopes/mine'

function Buttons() {
  const may = useMay()
  const shown = {
    'upgrade in shop': may('app.upgrade', 'shop'),
    'upgrade in bank': may('app.upgrade', 'bank'),
    'upgrade somewhere': may('app.upgrade'),
    upload: may('catalog.upload'),
    'cancel a deployment in bank': may(actionControl('cancel', { kind: 'Deploy', releaseName: 'web' }), 'bank'),
    'cancel an upgrade in bank': may(actionControl('cancel', { kind: 'Upgrade', releaseName: 'web' }), 'bank'),
    'cancel the deletion of what was assigned in bank': may(
      actionControl('cancel', { kind: 'Delete', releaseName: null }),
      'bank',
    ),
    'cancel the deletion of what runs in bank': may(
      actionControl('cancel', { kind: 'Delete', releaseName: 'web' }),
      'bank',
    ),
  }
  return (
    <p>
      {Object.entries(shown)
        .flatMap(([name, isShown]) => (isShown ? [name] : []))
        .join(', ')}
    </p>
  )
}

const lists = {
  data: [
    { spaceId: 'shop', scopes: ['space.view', 'app.view', 'app.manage'] },
    { spaceId: 'bank', scopes: ['space.view', 'app.view', 'space.deploy'] },
  ],
}

it('a member of teams is shown what the lists of their spaces give', async () => {
  serving({ [`GET ${myScopesPath}`]: lists })
  drawInPortal(<Buttons />, { roles: [] })
  await waitFor(() =>
    expect(screen.getByText(/upgrade/).textContent).toBe(
      'upgrade in shop, upgrade somewhere, cancel a deployment in bank, cancel the deletion of what was assigned in bank',
    ),
  )
})

it('what reaches every space is shown before the lists are known', async () => {
  serving({})
  drawInPortal(<Buttons />, { roles: ['catalog.deployments.manage', 'catalog.publish'] })
  const all = 'upgrade in shop, upgrade in bank, upgrade somewhere, upload'
  await waitFor(() =>
    expect(screen.getByText(/upload/).textContent).toBe(
      `${all}, cancel a deployment in bank, cancel an upgrade in bank, cancel the deletion of what was assigned in bank, cancel the deletion of what runs in bank`,
    ),
  )
})
