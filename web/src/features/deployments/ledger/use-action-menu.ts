import type { Action } from '@quayside/contract/deployments/endpoints'
import { isForDeployers } from '@quayside/contract/deployments/who-works-on'
import IconActivity from '@tabler/icons-react/dist/esm/icons/IconActivity.mjs'
import IconApps from '@tabler/icons-react/dist/esm/icons/IconApps.mjs'
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import IconPlayerStop from '@tabler/icons-react/dist/esm/icons/IconPlayerStop.mjs'
import IconPlugConnectedX from '@tabler/icons-react/dist/esm/icons/IconPlugConnectedX.mjs'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import IconTool from '@tabler/icons-react/dist/esm/icons/IconTool.mjs'
import { useNavigate } from '@tanstack/react-router'
import { useCancelAction } from '../../../api/deployments/cancel-action.ts'
import { useWizards } from '../../../api/deployments/wizards.tsx'
import { useHolds } from '../../../api/permissions/my-scopes.ts'
import { useAccess } from '../../../lib/use-access.ts'
import type { Question } from '../../../lib/why.tsx'
import type { MenuEntry } from '../../../ui/actions/row-menu.tsx'
import { kinds, mayForget, mayRepair, mayRetry } from './action-kinds.ts'
import { useActionDeeds } from './use-ledger.ts'

/** Why the person cannot work on an action: it asks for what its kind needs where its app lies. */
const whyNot = (action: Action, deed: string): Question => ({
  ...{ ask: 'scope', place: 'action', id: action.id, deed: `${deed} ${action.appName}` },
  scope: isForDeployers(action) ? 'space.deploy' : 'app.manage',
})

const whyNotForget = ({ appName }: Action): Question => ({
  ask: 'role',
  role: 'clusters:clusters.deregister',
  deed: `forget ${appName}`,
})

export function useActionMenu(): (action: Action) => MenuEntry[] {
  const { open } = useWizards()
  const navigate = useNavigate()
  const cancel = useCancelAction()
  const { forget, repair, retry } = useActionDeeds()
  const holds = useHolds()
  const mayDeregister = useAccess('clusters', 'clusters.deregister')
  const show = (actionId: string) => void navigate({ to: '/cloud-automation/$actionId', params: { actionId } })
  return (action) => {
    const { id, appId, kind } = action
    const entries: MenuEntry[] = [{ label: 'Open', icon: IconExternalLink, onSelect: () => show(id) }]
    if (action.running && kinds[kind].isFollowed)
      entries.push({
        label: 'Follow live',
        icon: IconActivity,
        onSelect: () => void open({ kind: 'follow', actionId: id }),
      })
    if (appId !== null && !(kind === 'Delete' && action.state === 'Success'))
      entries.push({
        label: 'Open app',
        icon: IconApps,
        onSelect: () => void navigate({ to: '/apps/$appId', params: { appId } }),
      })
    const mayWork = holds(isForDeployers(action) ? 'action.retry' : 'app.upgrade', action.spaceId)
    const guard = (deed: string) => ({
      disabled: mayWork === undefined,
      closed: mayWork === false ? whyNot(action, deed) : undefined,
    })
    if (mayRetry(action))
      entries.push({
        ...guard('try again the action on'),
        label: 'Try again',
        icon: IconRefresh,
        onSelect: () => void retry(action).then((again) => again !== undefined && show(again)),
      })
    if (mayRepair(action))
      entries.push({
        ...guard('repair'),
        label: 'Repair',
        icon: IconTool,
        onSelect: () => void repair(action).then((done) => done !== undefined && show(done)),
      })
    if (mayForget(action))
      entries.push({
        closed: mayDeregister ? undefined : whyNotForget(action),
        label: 'Forget cluster',
        icon: IconPlugConnectedX,
        danger: true,
        onSelect: () => void forget(action).then((done) => done !== undefined && show(done)),
      })
    const cancelAction = cancel(action)
    if (cancelAction !== undefined)
      entries.push({ label: 'Cancel', icon: IconPlayerStop, danger: true, onSelect: () => void cancelAction() })
    return entries
  }
}
