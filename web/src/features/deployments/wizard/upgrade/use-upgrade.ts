import type { App } from '@quayside/contract/apps/endpoints'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { versionsQuery } from '../../../../api/catalog/items.ts'
import { useWizards } from '../../../../api/deployments/wizards.tsx'
import { usePortal } from '../../../../lib/portal.tsx'
import { appMetadataOf, deployDataOf } from '../../deploy-data.ts'
import { useSendAction } from '../../progress/use-send-action.ts'
import { namesOf } from '../steps-of.ts'
import { useAppCard } from '../use-app-card.ts'
import { nothingEntered, useLeave } from '../use-leave.ts'
import { useLaterRevision } from './use-later-revision.ts'
import { type Chosen, useUpgradeValues } from './use-upgrade-values.ts'

const steps = { B: namesOf('B'), F: namesOf('F') }

export interface UpgradeProps {
  app: App
  space: Space
  versionId: string | undefined
  kind: 'B' | 'F'
}

/** An upgrade, from the choice of a version to the deployment. */
export type Upgrade = ReturnType<typeof useUpgrade>

/** The same once a version is chosen and its values are prepared. */
export type ChosenUpgrade = Upgrade & { chosen: Chosen }

/** The step of an upgrade, its values, and whether another revision has come meanwhile. */
export function useUpgrade({ app, space, versionId: preset, kind }: UpgradeProps) {
  const { api, config } = usePortal()
  const { close } = useWizards()
  const [step, setStep] = useState(0)
  const [wanted, setWanted] = useState(preset)
  const values = useUpgradeValues(app)
  const leave = useLeave({ ...nothingEntered, values: values.isEdited }, close)
  const [looking, setLooking] = useState(false)
  const { socket, sent, send, reset, giveUp } = useSendAction('Upgrade')
  // The app is fetched again when its upgrade has ended; where it came from stays.
  const [before] = useState(app.version)
  const versions = useQuery(versionsQuery(api, app.catalogItemId))
  const base = values.chosen?.prepared.values.revision
  const { later, look } = useLaterRevision(app.id, step === steps[kind].length - 1 ? undefined : base)
  return {
    ...{
      app,
      space,
      kind,
      step,
      setStep,
      values,
      leave,
      looking,
      socket,
      sent,
      before,
      versions,
      base,
      later,
      giveUp,
    },
    chosen: values.chosen,
    steps: steps[kind],
    versionId: wanted ?? versions.data?.[0]?.id,
    choose: setWanted,
    card: useAppCard(app),
    appMetadata: appMetadataOf(config.tenant, space, app),
    prepare: async (id: string | undefined) => {
      if (id !== undefined && (await values.prepare(id))) setStep(1)
    },
    /** The last look before it starts: somebody else may have been faster. */
    start: async ({ child }: Chosen) => {
      setLooking(true)
      const isLate = await look().finally(() => setLooking(false))
      if (isLate !== undefined) return
      const deployData = deployDataOf({ tenant: config.tenant, space, app, child, yaml: values.yaml, groups: [] })
      send({ appId: app.id, versionId: child.version.id, deployData, baseRevision: base })
    },
    /** Back to the values, for another try with a key of its own. */
    tryAgain: () => {
      reset()
      values.sent()
      setStep(1)
    },
  }
}
