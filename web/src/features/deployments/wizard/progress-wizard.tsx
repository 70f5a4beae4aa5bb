import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Socket } from 'socket.io-client'
import { appsKey } from '../../../api/apps.ts'
import { catalogKey } from '../../../api/catalog.ts'
import { actionsKey, cancelAction } from '../../../api/deployments/actions.ts'
import { useWizards, type WizardResult } from '../../../api/deployments/wizards.tsx'
import { useCan, useMayWorkOn } from '../../../api/permissions/my-scopes.ts'
import { spacesKey } from '../../../api/spaces.ts'
import { usePortal } from '../../../lib/portal.tsx'
import { useAccess } from '../../../lib/use-access.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { type GoneApp, useGoneApp } from '../progress/gone-app.tsx'
import { hasSucceeded, type Progress } from '../progress/progress.ts'
import { ProgressStep, progressTitle } from '../progress/progress-step.tsx'
import { useProgress } from '../progress/use-progress.ts'
import type { SentAction } from '../progress/use-send-action.ts'
import { type ProgressAction, texts } from '../texts.ts'
import { useElapsed } from './use-elapsed.ts'
import { type WizardCard, WizardFrame } from './wizard-frame.tsx'

interface Props {
  action: ProgressAction
  /** Name by which the live connection knows the release. */
  releaseName: string
  /** The app was never deployed, and has no release. */
  isOnlyAssigned?: boolean
  appId: string | undefined
  /** The command, as far as it has come, and the socket that the action is followed on. */
  sent: SentAction
  socket: Socket | undefined
  card: WizardCard
  steps: readonly string[]
  /** Where it goes: '{item} {version} → {space} on {cluster}'. */
  place: string
  /** Goes back to where the wizard can be changed after a failure. */
  onRetry?: () => void
  low?: boolean | undefined
}

/** The last step of every wizard. It can be closed at any time; the action goes on and is found again under running actions. */
export function ProgressWizard({
  action,
  releaseName,
  isOnlyAssigned = false,
  appId,
  sent,
  socket,
  card,
  steps,
  place,
  onRetry,
  low,
}: Props) {
  const { close } = useWizards()
  const progress = useProgress({ action, releaseName, socket, ...sent })
  const elapsed = useElapsed(progress)
  const [refused, setRefused] = useState<string>()
  useRefresh(progress)
  const succeeded = hasSucceeded(progress)
  const mayWork = useMayWorkOn()({ kind: action, releaseName: isOnlyAssigned ? null : releaseName })
  const seesApps = useAccess('apps')
  const shownApp = seesApps ? appId : undefined
  const gone = useGoneApp(shownApp, progress.ended && !succeeded)
  const result: WizardResult = { success: succeeded, type: action }
  return (
    <WizardFrame
      title={progressTitle(progress)}
      subtitle={
        <>
          <bdi>{place}</bdi> · <bdi>{elapsed}</bdi>
        </>
      }
      card={card}
      steps={steps}
      low={low}
      current={steps.length - 1}
      cancel={mayWork && <CancelRunning progress={progress} onRefused={setRefused} />}
      note={progress.ended ? undefined : <bdi>{refused ?? texts.progress.goesOn}</bdi>}
      actions={
        <>
          {action === 'Delete' && !progress.ended && <Button disabled>{texts.previous}</Button>}
          {progress.ended &&
            !succeeded &&
            (gone ? (
              <InstallAgain last={gone.last} result={result} />
            ) : (
              <AfterFailure appId={shownApp} result={result} onRetry={mayWork ? onRetry : undefined} />
            ))}
          <Button onClick={() => close(result)}>{texts.close}</Button>
          {succeeded && action !== 'Delete' && shownApp !== undefined && <GoToApp appId={shownApp} result={result} />}
        </>
      }
    >
      <ProgressStep progress={progress} card={card} gone={gone} canRetry={mayWork && onRetry !== undefined} />
    </WizardFrame>
  )
}

const cancelWords: Record<ProgressAction, string> = {
  Deploy: texts.cancelDeployment,
  Upgrade: texts.cancelUpgrade,
  Rollback: texts.cancelRollback,
  Delete: texts.cancel,
}

/** Takes an action back for which no Helm was started; the server says when it is too late for that. */
function CancelRunning({ progress, onRefused }: { progress: Progress; onRefused: (why: string) => void }) {
  const { api } = usePortal()
  const [busy, setBusy] = useState(false)
  const { actionId, ended, action } = progress
  if (ended) return null
  const cancel = async () => {
    if (actionId === undefined) return
    setBusy(true)
    try {
      await cancelAction(api, actionId)
    } catch (error) {
      onRefused(error instanceof Error ? error.message : String(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button look="quiet" busy={busy} disabled={actionId === undefined} onClick={() => void cancel()}>
      {cancelWords[action]}
    </Button>
  )
}

/** The ways on from a failure: look at the app, or change what was wrong and try again. */
function AfterFailure({
  appId,
  result,
  onRetry,
}: {
  appId: string | undefined
  result: WizardResult
  onRetry: (() => void) | undefined
}) {
  const { close } = useWizards()
  const navigate = useNavigate()
  return (
    <>
      {appId !== undefined && (
        <Button
          onClick={() => {
            close(result)
            void navigate({ to: '/apps/$appId', params: { appId } })
          }}
        >
          {texts.progress.openApp}
        </Button>
      )}
      {onRetry !== undefined && <Button onClick={onRetry}>{texts.progress.again}</Button>}
    </>
  )
}

/** A button that installs a deleted app again, which is the only way left. */
function InstallAgain({ last, result }: { last: GoneApp['last']; result: WizardResult }) {
  const { close, open } = useWizards()
  const mayDeploy = useCan()('catalog.deploy', last?.spaceId)
  if (last === undefined || !mayDeploy) return null
  return (
    <Button
      onClick={() => {
        close(result)
        void open({ kind: 'install', versionId: last.catalogVersionId, spaceId: last.spaceId })
      }}
    >
      {texts.gone.installAgain}
    </Button>
  )
}

function GoToApp({ appId, result }: { appId: string; result: WizardResult }) {
  const { close } = useWizards()
  const navigate = useNavigate()
  return (
    <Button
      look="primary"
      onClick={() => {
        close(result)
        void navigate({ to: '/apps/$appId', params: { appId } })
      }}
    >
      {texts.goToApp}
    </Button>
  )
}

/** Reads apps, spaces, actions and the catalog again once the action has ended. */
function useRefresh(progress: Progress): void {
  const queries = useQueryClient()
  useEffect(() => {
    if (!progress.ended) return
    for (const queryKey of [appsKey, spacesKey, actionsKey, catalogKey]) void queries.invalidateQueries({ queryKey })
  }, [progress.ended, queries])
}
