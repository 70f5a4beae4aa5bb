import type { DashboardRow } from '@quayside/contract/dashboards/endpoints'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconHome from '@tabler/icons-react/dist/esm/icons/IconHome.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import IconUserCheck from '@tabler/icons-react/dist/esm/icons/IconUserCheck.mjs'
import { useNavigate } from '@tanstack/react-router'
import {
  useCreateDashboard,
  useDeleteDashboard,
  useRestoreDashboard,
  useTakeOverDashboard,
} from '../../api/dashboards/dashboards.ts'
import { useChooseHome } from '../../api/dashboards/home.ts'
import { useConfirm } from '../../ui/actions/confirm.tsx'
import type { MenuEntry } from '../../ui/actions/row-menu.tsx'
import { useTellFailure } from '../../ui/actions/tell-failure.ts'

interface Options {
  onDeleted?: () => void
  /** The rows are those that nobody manages any more. */
  isOrphans?: boolean
}

/** Actions on a dashboard, the same in the list and on its page. */
export function useDashboardMenu({ onDeleted, isOrphans = false }: Options = {}): (row: DashboardRow) => MenuEntry[] {
  const confirm = useConfirm()
  const tell = useTellFailure()
  const navigate = useNavigate()
  const [create, takeOver, remove, restore, home] = [
    useCreateDashboard(),
    useTakeOverDashboard(),
    useDeleteDashboard(),
    useRestoreDashboard(),
    useChooseHome(),
  ]

  async function askAndDelete({ id, displayName }: DashboardRow): Promise<void> {
    const message = (
      <>
        Delete <bdi>{displayName}</bdi>? It can be restored from the trash for 30 days.
      </>
    )
    if (!(await confirm({ title: 'Delete dashboard', message, danger: true }))) return
    await remove.mutateAsync(id).then(onDeleted, tell('The dashboard was not deleted'))
  }

  const duplicate = ({ id }: DashboardRow) =>
    create
      .mutateAsync({ from: { dashboardId: id } })
      .then(
        (made) => navigate({ to: '/dashboards/$dashboardId', params: { dashboardId: made.id } }),
        tell('The dashboard was not duplicated'),
      )

  async function askAndTakeOver({ id, displayName, owner }: DashboardRow): Promise<void> {
    const message = (
      <>
        <bdi>{displayName}</bdi> (owner: <bdi>{owner}</bdi>) no longer has a manager. You will become its owner and
        manager.
      </>
    )
    if (!(await confirm({ title: 'Take over dashboard', message }))) return
    await takeOver.mutateAsync(id).catch(tell('The dashboard was not taken over'))
  }

  return (row) => {
    if (isOrphans) return [{ label: 'Take over', icon: IconUserCheck, onSelect: () => void askAndTakeOver(row) }]
    const manages = row.scopes.includes('dashboard.manage')
    if (row.deletedAt !== null)
      return [
        {
          label: 'Restore',
          icon: IconArrowBackUp,
          onSelect: () => void restore.mutateAsync(row.id).catch(tell('The dashboard was not restored')),
        },
      ]
    const chooseHome = () =>
      home
        .mutateAsync({ choice: 'dashboard', dashboardId: row.id })
        .then(() => navigate({ to: '/home' }), tell('Home was not changed'))
    return [
      { label: 'Duplicate', icon: IconCopy, onSelect: () => void duplicate(row) },
      { label: 'Use as my Home', icon: IconHome, onSelect: () => void chooseHome() },
      ...(manages ? [{ label: 'Delete', icon: IconTrash, danger: true, onSelect: () => void askAndDelete(row) }] : []),
    ]
  }
}
