import type { DashboardRow } from '@quayside/contract/dashboards/endpoints'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconHome from '@tabler/icons-react/dist/esm/icons/IconHome.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import IconUserCheck from '@tabler/icons-react/dist/esm/icons/IconUserCheck.mjs'
import { useNavigate } from '@tanstack/react-router'
import {
  useChooseHome,
  useCreateDashboard,
  useDeleteDashboard,
  useRestoreDashboard,
  useTakeOverDashboard,
} from '../../api/dashboards/dashboards.ts'
import { useConfirm } from '../../ui/actions/confirm.tsx'
import type { MenuEntry } from '../../ui/actions/row-menu.tsx'

interface Options {
  onDeleted?: () => void
  /** The rows are those that nobody manages any more. */
  isOrphans?: boolean
}

/** Actions on a dashboard, the same in the list and on its page. */
export function useDashboardMenu({ onDeleted, isOrphans = false }: Options = {}): (row: DashboardRow) => MenuEntry[] {
  const confirm = useConfirm()
  const navigate = useNavigate()
  const [create, takeOver, remove, restore, home] = [
    useCreateDashboard(),
    useTakeOverDashboard(),
    useDeleteDashboard(),
    useRestoreDashboard(),
    useChooseHome(),
  ]

  /** Says why when the server will not. */
  async function attempt(title: string, run: () => Promise<unknown>): Promise<boolean> {
    try {
      await run()
      return true
    } catch (error) {
      await confirm({ type: 'alert', title, message: error instanceof Error ? error.message : String(error) })
      return false
    }
  }

  async function askAndDelete({ id, displayName }: DashboardRow): Promise<void> {
    const message = (
      <>
        Delete <bdi>{displayName}</bdi>? It can be restored from the trash for 30 days.
      </>
    )
    if (!(await confirm({ title: 'Delete dashboard', message, danger: true }))) return
    if (await attempt('The dashboard was not deleted', () => remove.mutateAsync(id))) onDeleted?.()
  }

  const duplicate = ({ id }: DashboardRow) =>
    attempt('The dashboard was not duplicated', async () => {
      const made = await create.mutateAsync({ from: { dashboardId: id } })
      await navigate({ to: '/dashboards/$dashboardId', params: { dashboardId: made.id } })
    })

  async function askAndTakeOver({ id, displayName, owner }: DashboardRow): Promise<void> {
    const message = (
      <>
        <bdi>{displayName}</bdi> (owner: <bdi>{owner}</bdi>) no longer has a manager. You will become its owner and
        manager.
      </>
    )
    if (!(await confirm({ title: 'Take over dashboard', message }))) return
    await attempt('The dashboard was not taken over', () => takeOver.mutateAsync(id))
  }

  return (row) => {
    if (isOrphans) return [{ label: 'Take over', icon: IconUserCheck, onSelect: () => void askAndTakeOver(row) }]
    const manages = row.scopes.includes('dashboard.manage')
    if (row.deletedAt !== null)
      return [
        {
          label: 'Restore',
          icon: IconArrowBackUp,
          onSelect: () => void attempt('The dashboard was not restored', () => restore.mutateAsync(row.id)),
        },
      ]
    const chooseHome = async () => {
      await home.mutateAsync({ choice: 'dashboard', dashboardId: row.id })
      await navigate({ to: '/home' })
    }
    return [
      { label: 'Duplicate', icon: IconCopy, onSelect: () => void duplicate(row) },
      { label: 'Use as my Home', icon: IconHome, onSelect: () => void attempt('Home was not changed', chooseHome) },
      ...(manages ? [{ label: 'Delete', icon: IconTrash, danger: true, onSelect: () => void askAndDelete(row) }] : []),
    ]
  }
}
