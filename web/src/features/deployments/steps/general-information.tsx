import type { CatalogVersion } from '@quayside/contract/catalog/endpoints'
import { longest } from '@quayside/contract/http/limits'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { useId } from 'react'
import { FreezeNote } from '../../../api/freeze-note.tsx'
import { OptionSelect } from '../../../ui/forms/option-select.tsx'
import { TagInput } from '../../../ui/forms/tag-input.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { classNames } from '../../../ui/marks/class-names.ts'
import { ErrorPanel } from '../../../ui/states/error-panel.tsx'
import { ProgressBar } from '../../../ui/states/progress-bar.tsx'
import { texts } from '../texts.ts'
import styles from './steps.module.css'

export interface GeneralForm {
  versionId: string
  spaceId: string | undefined
  clusterId: string | undefined
  displayName: string
  tags: string[]
  touched: { version: boolean; space: boolean; cluster: boolean; displayName: boolean }
}

interface Props {
  form: GeneralForm
  /** A closing list reports twice, its choice and its leaving, so changes come as functions of the newest form. */
  onChange: (change: (form: GeneralForm) => GeneralForm) => void
  versions: readonly CatalogVersion[] | undefined
  versionsError: unknown
  spaces: readonly Space[] | undefined
  spacesError: unknown
  assigning: boolean
  /** False hides name and tags, as in the Serverless wizard. */
  editing: boolean
  error: unknown
}

const t = texts.general

/** Where the app goes and what it is called. */
export function GeneralInformation({
  form,
  onChange,
  versions,
  versionsError,
  spaces,
  spacesError,
  assigning,
  editing,
  error,
}: Props) {
  const heading = useId()
  const freeze = spaces?.find(({ id }) => id === form.spaceId)?.freeze
  const touch: Touch = (field) => onChange((now) => ({ ...now, touched: { ...now.touched, [field]: true } }))
  return (
    <section aria-labelledby={heading} className={styles.step}>
      <div>
        <h3 id={heading}>{t.heading}</h3>
        <p className={styles.text}>{t.text}</p>
      </div>
      <fieldset disabled={assigning} className={styles.grid}>
        <legend className="unseen">{t.heading}</legend>
        <PlaceFields {...{ form, onChange, versions, versionsError, spaces, spacesError, assigning, touch }} />
        {editing && <NameFields {...{ form, onChange, assigning, touch }} />}
      </fieldset>
      {freeze != null && <FreezeNote freeze={freeze} />}
      {error != null && <ErrorPanel error={error} name={t.heading} />}
      {assigning && (
        <div className={styles.pending} role="status">
          <span>{t.assigning}</span>
          <ProgressBar label={t.assigning} />
        </div>
      )}
    </section>
  )
}

type Touch = (field: keyof GeneralForm['touched']) => void

/** The version, the space and the cluster of the space. */
function PlaceFields({
  form,
  onChange,
  versions,
  versionsError,
  spaces,
  spacesError,
  assigning,
  touch,
}: Omit<Props, 'editing' | 'error'> & { touch: Touch }) {
  const space = spaces?.find(({ id }) => id === form.spaceId)
  return (
    <>
      <OptionSelect
        label={t.version}
        value={form.versionId}
        options={versions?.map((version) => ({ value: version.id, label: version.version }))}
        error={versionsError}
        disabled={assigning}
        onChange={(versionId) => versionId !== undefined && onChange((now) => ({ ...now, versionId }))}
        onBlur={() => touch('version')}
      />
      <OptionSelect
        label={t.space}
        value={form.spaceId}
        searchable
        none
        options={spaces?.map(optionOfSpace)}
        error={spacesError}
        errorName={t.spacesError}
        emptyText={t.noSpaces}
        disabled={assigning}
        onChange={(spaceId) => onChange((now) => withSpace(now, spaces, spaceId))}
        onBlur={() => touch('space')}
        invalid={form.touched.space && form.spaceId === undefined ? t.spaceRequired : undefined}
      />
      {space !== undefined && space.clusters.length > 0 && (
        <div className={styles.cluster}>
          <OptionSelect
            label={t.cluster}
            value={form.clusterId}
            disabled={assigning || space.clusters.length === 1}
            options={space.clusters.map((cluster) => ({
              value: cluster.id,
              label: cluster.displayName,
              lines: [t.id + cluster.id, t.provider + cluster.provider],
            }))}
            onChange={(clusterId) => onChange((now) => ({ ...now, clusterId }))}
            onBlur={() => touch('cluster')}
          />
        </div>
      )}
      {space !== undefined && space.clusters.length === 0 && (
        <p className={classNames(styles.hint, styles.cluster)} role="alert">
          <bdi>{t.noCluster}</bdi>
        </p>
      )}
    </>
  )
}

function NameFields({
  form,
  onChange,
  assigning,
  touch,
}: Pick<Props, 'form' | 'onChange' | 'assigning'> & { touch: Touch }) {
  const nameError = form.touched.displayName && form.displayName.trim() === '' ? t.nameRequired : undefined
  return (
    <>
      {' '}
      <TextField
        label={t.appName}
        value={form.displayName}
        maxLength={longest.displayName}
        required
        disabled={assigning}
        error={nameError}
        onChange={(event) => onChange((now) => ({ ...now, displayName: event.target.value }))}
        onBlur={() => touch('displayName')}
      />
      <div className={styles.tags}>
        <TagInput
          label={t.tags}
          value={form.tags}
          disabled={assigning}
          onChange={(tags) => onChange((now) => ({ ...now, tags }))}
        />
      </div>
    </>
  )
}

function optionOfSpace(space: Space) {
  const lines = [t.id + space.id]
  if (space.apps.length > 0) lines.push(t.deployedApps + space.apps.length)
  return { value: space.id, label: space.displayName, lines }
}

/** Choosing a space preselects its first cluster. */
export function withSpace(
  form: GeneralForm,
  spaces: readonly Space[] | undefined,
  spaceId: string | undefined,
): GeneralForm {
  const clusters = spaces?.find(({ id }) => id === spaceId)?.clusters ?? []
  return { ...form, spaceId, clusterId: clusters[0]?.id }
}

/** The step's next flag: false while any watched field is invalid. */
export function isGeneralValid(form: GeneralForm): boolean {
  return (
    form.versionId !== '' &&
    form.spaceId !== undefined &&
    form.clusterId !== undefined &&
    form.displayName.trim() !== ''
  )
}
