import type { Action } from '@quayside/contract/deployments/endpoints'
import IconActivity from '@tabler/icons-react/dist/esm/icons/IconActivity.mjs'
import IconApps from '@tabler/icons-react/dist/esm/icons/IconApps.mjs'
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import IconPlayerStop from '@tabler/icons-react/dist/esm/icons/IconPlayerStop.mjs'
import IconPlugConnectedX from '@tabler/icons-react/dist/esm/icons/IconPlugConnectedX.mjs'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import IconTool from '@tabler/icons-react/dist/esm/icons/IconTool.mjs'
import { useNavigate } from '@tanstack/react-router'
import { useEndAction } from '../../../api/deployments/end-action.ts'
import { useWizards } from '../../../api/deployments/wizards.tsx'
import { actionControl, ofAction, useGuard } from '../../../api/permissions/my-scopes.ts'
import type { MenuEntry } from '../../../ui/actions/row-menu.tsx'
import { kinds, mayForget, mayRepair, mayRetry } from './action-kinds.ts'
import { useActionCommands } from './use-ledger.ts'

export function useActionMenu(): (action: Action) => MenuEntry[] {
  const { open } = useWizards()
  const navigate = useNavigate()
  const endOf = useEndAction()
  const { forget, repair, retry } = useActionCommands()
  const guard = useGuard()
  const show = (actionId: string) => void navigate({ to: '/cloud-automation/$actionId', params: { actionId } })
  return (action) => {
    const { id, appId, kind, appName } = action
    const where = ofAction(action)
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
    if (mayRetry(action))
      entries.push({
        right: guard(actionControl('retry', action), `try again the action on ${appName}`, where),
        label: 'Try again',
        icon: IconRefresh,
        onSelect: () => void retry(action).then((again) => again !== undefined && show(again)),
      })
    if (mayRepair(action))
      entries.push({
        right: guard('app.repair', `repair ${appName}`, where),
        label: 'Repair',
        icon: IconTool,
        onSelect: () => void repair(action).then((done) => done !== undefined && show(done)),
      })
    if (mayForget(action))
      entries.push({
        right: guard('cluster.remove', `forget ${appName}`),
        label: 'Forget cluster',
        icon: IconPlugConnectedX,
        danger: true,
        onSelect: () => void forget(action).then((done) => done !== undefined && show(done)),
      })
    const end = endOf(action)
    if (end !== undefined)
      entries.push({
        right: end.right,
        label: end.label,
        icon: IconPlayerStop,
        danger: true,
        onSelect: () => void end.end(),
      })
    return entries
  }
}
