import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Socket } from 'socket.io-client'
import { useEndById } from '../../../api/deployments/end-action.ts'
import { type GoneApp, useGoneApp } from '../../../api/deployments/gone-app.ts'
import { useRefreshAfterAction, useWizards, type WizardResult } from '../../../api/deployments/wizards.tsx'
import { actionControl, inSpace, ofAction, useGuard, useOpens } from '../../../api/permissions/my-scopes.ts'
import { Button } from '../../../ui/actions/button.tsx'
import type { Right } from '../../../ui/actions/explain.ts'
import { GuardedButton } from '../../../ui/actions/guarded-button.tsx'
import { LeftBehind } from '../progress/left-behind.tsx'
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
  /** The space of an action that somebody else may have started. */
  spaceId?: string | null
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
  spaceId = null,
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
  useRefreshAfterAction(progress.ended)
  const succeeded = hasSucceeded(progress)
  const guard = useGuard()
  const where = progress.actionId === undefined ? undefined : ofAction({ id: progress.actionId, spaceId })
  const about = { kind: action, releaseName: isOnlyAssigned ? null : releaseName }
  const cancel = guard(actionControl('cancel', about), `cancel this ${action}`, where)
  const retry = guard(actionControl('retry', about), `try this ${action} again`, where)
  const seesApps = useOpens()('apps/$appId')
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
      cancel={<CancelRunning progress={progress} right={cancel} onRefused={setRefused} />}
      note={progress.ended ? undefined : <bdi>{refused ?? texts.progress.goesOn}</bdi>}
      actions={
        <>
          {action === 'Delete' && !progress.ended && <Button disabled>{texts.previous}</Button>}
          {progress.ended &&
            !succeeded &&
            (gone ? (
              <InstallAgain last={gone.last} result={result} />
            ) : (
              <AfterFailure appId={shownApp} result={result} right={retry} onRetry={onRetry} />
            ))}
          <Button onClick={() => close(result)}>{texts.close}</Button>
          {succeeded && action !== 'Delete' && shownApp !== undefined && <GoToApp appId={shownApp} result={result} />}
        </>
      }
    >
      <ProgressStep
        progress={progress}
        card={card}
        gone={gone}
        below={<LeftBehind progress={progress} appId={gone === null ? appId : undefined} result={result} />}
        canRetry={retry.allowed === true && onRetry !== undefined}
      />
    </WizardFrame>
  )
}

const cancelWords: Record<ProgressAction, string> = {
  Deploy: texts.cancelDeployment,
  Upgrade: texts.cancelUpgrade,
  Rollback: texts.cancelRollback,
  Delete: texts.cancel,
}

/** Ends the action: without a Helm it is taken back, and once Helm has started it is aborted, after a question. */
function CancelRunning({
  progress,
  right,
  onRefused,
}: {
  progress: Progress
  right: Right
  onRefused: (why: string) => void
}) {
  const endById = useEndById()
  const [busy, setBusy] = useState(false)
  const { actionId, ended, action } = progress
  if (ended) return null
  const cancel = async () => {
    if (actionId === undefined) return
    setBusy(true)
    try {
      await endById(actionId, action)
    } catch (error) {
      onRefused(error instanceof Error ? error.message : String(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <GuardedButton {...right} look="quiet" busy={busy} disabled={actionId === undefined} onClick={() => void cancel()}>
      {cancelWords[action]}
    </GuardedButton>
  )
}

/** The ways on from a failure: look at the app, or change what was wrong and try again. */
function AfterFailure({
  appId,
  result,
  right,
  onRetry,
}: {
  appId: string | undefined
  result: WizardResult
  right: Right
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
      {onRetry !== undefined && (
        <GuardedButton {...right} onClick={onRetry}>
          {texts.progress.again}
        </GuardedButton>
      )}
    </>
  )
}

/** A button that installs a deleted app again, which is the only way left. */
function InstallAgain({ last, result }: { last: GoneApp['last']; result: WizardResult }) {
  const { close, open } = useWizards()
  const guard = useGuard()
  if (last === undefined) return null
  return (
    <GuardedButton
      {...guard('app.deploy', 'install this app again', inSpace(last.spaceId))}
      onClick={() => {
        close(result)
        void open({ kind: 'install', versionId: last.catalogVersionId, spaceId: last.spaceId })
      }}
    >
      {texts.gone.installAgain}
    </GuardedButton>
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
