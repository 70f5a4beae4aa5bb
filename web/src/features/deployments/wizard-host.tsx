import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useWizards, type WizardRequest } from '../../api/deployments/wizards.tsx'
import { explainError, isPassing } from '../../lib/api/api-error.ts'
import { usePortal } from '../../lib/portal.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { useConfirm } from '../../ui/actions/confirm.tsx'
import '../../ui/theme/mantine.css'
import { appQuery } from '../../api/app.ts'
import { catalogAppQuery } from '../../api/deployments/deployments.ts'
import { actionQuery } from '../../api/deployments/ledger.ts'
import { spaceQuery } from '../../api/space.ts'
import { texts } from './texts.ts'
import { DeleteWizard } from './wizard/delete/delete-wizard.tsx'
import { GenericDelete } from './wizard/delete/generic-delete.tsx'
import { FollowWizard } from './wizard/follow-wizard.tsx'
import { InstallWizard } from './wizard/install/install-wizard.tsx'
import { ResumeInstall } from './wizard/install/resume-install.tsx'
import type { InstallKind } from './wizard/install/use-entries.ts'
import { RollbackWizard } from './wizard/upgrade/rollback-wizard.tsx'
import { UpgradeWizard } from './wizard/upgrade/upgrade-wizard.tsx'
import { type DeployActionType, wizardFor } from './wizard-for.ts'

/** Draws the wizard that a page asked for with useWizards().open(…); the shell mounts it only while there is one. */
export function WizardHost() {
  const { request } = useWizards()
  if (request === undefined) return null
  switch (request.kind) {
    case 'install':
      return <Install key={request.versionId} request={request} />
    case 'deploy':
      return <Resume key={request.appId} appId={request.appId} />
    case 'follow':
      return <Follow key={request.actionId} actionId={request.actionId} />
    default:
      return <ForApp key={`${request.kind} ${request.appId}`} request={request} />
  }
}

function Install({ request }: { request: Extract<WizardRequest, { kind: 'install' }> }) {
  const { api } = usePortal()
  const found = useQuery(catalogAppQuery(api, request.versionId))
  // Once it is open, a wizard outlives calls that fail behind it.
  const failure = found.data === undefined ? found.error : null
  useLoggedFailure(failure)
  if (failure !== null) return <Refused error={failure} />
  if (found.data === undefined) return null
  const { child } = found.data
  const kind = kindOf(child.item.type, child.item.appType, 'Install')
  if (kind instanceof Error) return <Refused error={kind} />
  return <InstallWizard child={child} spaceId={request.spaceId} values={request.values} kind={kind as InstallKind} />
}

/** A dialog that does not open for want of its version says so in the log. */
function useLoggedFailure(failure: Error | null): void {
  useEffect(() => {
    if (failure !== null) console.error(texts.versionFailed, failure)
  }, [failure])
}

type AppRequest = Exclude<Extract<WizardRequest, { appId: string }>, { kind: 'deploy' }>
const actionOf = { upgrade: 'Upgrade', rollback: 'Rollback', delete: 'Delete' } as const satisfies Record<
  AppRequest['kind'],
  DeployActionType
>

function ForApp({ request }: { request: AppRequest }) {
  const { api } = usePortal()
  const app = useQuery(appQuery(api, request.appId))
  const isUpgrade = request.kind === 'upgrade'
  const space = useQuery({ ...spaceQuery(api, app.data?.spaceId ?? ''), enabled: app.data !== undefined && isUpgrade })
  // Its version must be there before the dialog of an upgrade opens; what the upgrade makes of it comes too late.
  const before = useRef(request.kind === 'upgrade' ? request.versionId : undefined)
  before.current ??= app.data?.catalogVersionId
  const version = useQuery({
    ...catalogAppQuery(api, before.current ?? ''),
    enabled: before.current !== undefined && request.kind === 'upgrade',
  })
  const versionFailure = version.data === undefined ? version.error : null
  useLoggedFailure(versionFailure)
  // A wizard that is open stays open: its own deletion, for one, makes the app unfindable.
  const failure = app.data === undefined ? app.error : space.data === undefined ? space.error : versionFailure
  if (failure !== null) return <Refused error={failure} />
  if (app.data === undefined) return null
  const kind = kindOf(app.data.itemType, app.data.appType, actionOf[request.kind])
  if (kind instanceof Error) return <Refused error={kind} />
  if (kind === 'generic-delete') return <GenericDelete app={app.data} />
  if (request.kind === 'delete') return <DeleteWizard app={app.data} />
  if (request.kind === 'rollback') return <RollbackWizard app={app.data} revision={request.revision} />
  return space.data === undefined || version.data === undefined ? null : (
    <UpgradeWizard app={app.data} space={space.data} versionId={request.versionId} kind={kind as 'B' | 'F'} />
  )
}

/** An installation that was left in the middle goes on. */
function Resume({ appId }: { appId: string }) {
  const { api } = usePortal()
  const app = useQuery(appQuery(api, appId))
  const versionId = useRef<string>(undefined)
  const isOpen = useRef(false)
  versionId.current ??= app.data?.catalogVersionId
  const space = useQuery({ ...spaceQuery(api, app.data?.spaceId ?? ''), enabled: app.data !== undefined })
  const version = useQuery({
    ...catalogAppQuery(api, versionId.current ?? ''),
    enabled: versionId.current !== undefined,
  })
  const versionFailure = version.data === undefined ? version.error : null
  useLoggedFailure(versionFailure)
  const failure = app.data === undefined ? app.error : space.data === undefined ? space.error : versionFailure
  if (failure !== null) return <Refused error={failure} />
  if (app.data === undefined || space.data === undefined || version.data === undefined) return null
  if (app.data.releaseName !== null && !isOpen.current) return <Refused error={new Error(texts.resumed.deployed)} />
  isOpen.current = true
  const kind = kindOf(app.data.itemType, app.data.appType, 'Install')
  if (kind instanceof Error) return <Refused error={kind} />
  return (
    <ResumeInstall
      app={app.data}
      space={space.data}
      child={version.data.child}
      kind={kind as InstallKind}
      refused={(error) => <Refused error={error} />}
    />
  )
}

function kindOf(itemType: string, appType: string, action: DeployActionType) {
  try {
    return wizardFor(itemType, appType, action)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** Looks on at an action again, from its first line. */
function Follow({ actionId }: { actionId: string }) {
  const { api } = usePortal()
  const found = useQuery(actionQuery(api, actionId))
  if (found.data !== undefined) return <FollowWizard action={found.data} />
  return found.error === null ? null : <Refused error={found.error} />
}

/** A portal that does not answer is waited for; any other reason is said, and no dialog opens. */
function Refused({ error }: { error: unknown }) {
  return isPassing(error) ? <Connecting /> : <Told error={error} />
}

/** Its read is repeated by itself, and the wizard stands in its place as soon as it is answered. */
function Connecting() {
  const { close } = useWizards()
  return (
    <Modal opened onClose={() => close()} withCloseButton={false} centered>
      <p role="status">{texts.connecting}</p>
      <Button onClick={() => close()}>{texts.close}</Button>
    </Modal>
  )
}

function Told({ error }: { error: unknown }) {
  const { close } = useWizards()
  const confirm = useConfirm()
  useEffect(() => {
    const { title, message } = explainError(error, navigator.onLine)
    close()
    void confirm({
      type: 'alert',
      title: error instanceof Error && error.name === 'ApiError' ? title : 'Not available',
      message,
    })
  }, [error, close, confirm])
  return null
}
