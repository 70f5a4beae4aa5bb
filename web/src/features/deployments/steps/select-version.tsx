import type { App } from '@quayside/contract/apps/endpoints'
import type { CatalogVersion } from '@quayside/contract/catalog/endpoints'
import type { AppMetadata } from '@quayside/contract/deployments/deploy-data'
import { OptionSelect } from '../../../ui/forms/option-select.tsx'
import { ErrorPanel } from '../../../ui/states/error-panel.tsx'
import { ProgressBar } from '../../../ui/states/progress-bar.tsx'
import { texts } from '../texts.ts'
import styles from './steps.module.css'
import { VersionChanges } from './version-changes.tsx'

interface Props {
  app: App
  versions: readonly CatalogVersion[] | undefined
  versionsError: unknown
  versionId: string | undefined
  appMetadata: AppMetadata
  preparing: boolean
  /** Why the values could not be prepared. */
  error: unknown
  onChange: (versionId: string | undefined) => void
}

const t = texts.selectVersion

/** The choice of the version to upgrade to, with the changes it brings. */
export function SelectVersion(props: Props) {
  const { app, versions, versionsError, versionId, appMetadata, preparing, error, onChange } = props
  return (
    <section aria-label={t.step} className={styles.step}>
      <h3>{t.step}</h3>
      <OptionSelect
        label={texts.general.version}
        value={versionId}
        options={versions?.map(({ id, version }) => ({
          value: id,
          label: version,
          lines: id === app.catalogVersionId ? [t.installed] : [],
        }))}
        error={versionsError}
        onChange={onChange}
      />
      {error != null && <ErrorPanel error={error} name={t.step} />}
      {preparing && <ProgressBar label={t.preparing} />}
      {versionId !== undefined && (
        <VersionChanges
          key={versionId}
          installedId={app.catalogVersionId}
          versionId={versionId}
          appMetadata={appMetadata}
        />
      )}
    </section>
  )
}
