import { scheduleHours, sourceKinds, sourceLimits, sourceSignIns } from '@quayside/contract/catalog/source-rules'
import type { CatalogSource, SourcePreview } from '@quayside/contract/catalog/sources'
import { longest } from '@quayside/contract/http/limits'
import { Button } from '../../../ui/actions/button.tsx'
import { Checkbox } from '../../../ui/forms/checkbox.tsx'
import field from '../../../ui/forms/field.module.css'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { Choice } from '../../../ui/forms/select.tsx'
import { TagInput } from '../../../ui/forms/tag-input.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import parts from '../../../ui/layout/form-parts.module.css'
import { type SourceForm, type Typed, useSourceForm } from './source-form.ts'
import { kindWords, scheduleWords, signInWords } from './source-words.ts'
import styles from './sources.module.css'

interface Props {
  /** The source to change; left out, one is added. */
  source: CatalogSource | undefined
  onClose: () => void
  onSaved: (source: CatalogSource) => void
}

/** Adds a source or changes one; it can be tried before it is saved. */
export function SourceDialog({ source, onClose, onSaved }: Props) {
  const form = useSourceForm(source)
  const { save } = form
  return (
    <FormDialog
      title={source === undefined ? 'Add source' : 'Edit source'}
      submitLabel={source === undefined ? 'Add source' : 'Save'}
      busy={save.isPending}
      error={form.isExplained ? undefined : (save.error ?? form.test.error)}
      onClose={onClose}
      onSubmit={() => form.submit(onSaved)}
    >
      <Text form={form} name="name" label="Name" max={longest.displayName} required focus />
      <Choice
        label="Kind"
        value={form.typed.kind}
        options={sourceKinds.map((kind) => ({ value: kind, label: kindWords[kind] }))}
        onChange={(kind) => form.change({ kind })}
      />
      <Text
        form={form}
        name="address"
        label="Address"
        max={sourceLimits.address}
        required
        help={addressHelp[form.typed.kind]}
      />
      <SignIn form={form} hasSecret={source !== undefined && source.signIn === form.typed.signIn} />
      <Wanted form={form} />
      <Choice
        label="Synchronise"
        value={String(form.typed.everyHours ?? '')}
        options={[...scheduleHours, null].map((hours) => ({ value: String(hours ?? ''), label: scheduleWords(hours) }))}
        onChange={(hours) => form.change({ everyHours: hours === '' ? null : Number(hours) })}
      />
      <div className={parts.actions}>
        <Button busy={form.test.isPending} onClick={form.preview}>
          Test
        </Button>
      </div>
      {form.test.data !== undefined && <Preview preview={form.test.data} />}
    </FormDialog>
  )
}

const addressHelp = {
  helm: 'As in https://charts.example.org, where its index.yaml lies.',
  oci: 'As in oci://registry.example.org/charts: one repository, or the path that several repositories share.',
} as const

interface TextProps {
  form: SourceForm
  name: 'name' | 'address' | 'username' | 'secret' | 'versions'
  label: string
  max: number
  help?: string | undefined
  required?: boolean
  focus?: boolean
  type?: 'password' | 'number'
}

function Text({ form, name, label, max, help, required, focus, type }: TextProps) {
  return (
    <TextField
      {...{ label, help, required, type }}
      data-autofocus={focus}
      dir={name === 'name' ? 'auto' : 'ltr'}
      autoComplete={type === 'password' ? 'new-password' : 'off'}
      maxLength={max}
      {...(type === 'number' ? { min: 1, max } : {})}
      value={form.typed[name]}
      error={form.problemOf(name)}
      onChange={(event) => form.change({ [name]: event.target.value })}
    />
  )
}

function SignIn({ form, hasSecret }: { form: SourceForm; hasSecret: boolean }) {
  const { signIn } = form.typed
  const help = hasSecret ? 'Leave empty to keep the current one.' : undefined
  return (
    <>
      <Choice
        label="Sign-in"
        value={signIn}
        options={sourceSignIns.map((one) => ({ value: one, label: signInWords[one] }))}
        onChange={(next) => form.change({ signIn: next })}
      />
      {signIn === 'password' && (
        <Text form={form} name="username" label="User name" max={sourceLimits.username} required />
      )}
      {signIn !== 'none' && (
        <Text
          {...{ form, help, name: 'secret', type: 'password', max: sourceLimits.secret }}
          label={signIn === 'token' ? 'Token' : 'Password'}
          required={!hasSecret}
        />
      )}
    </>
  )
}

/** Charts and versions that are taken of everything that the source has. */
function Wanted({ form }: { form: SourceForm }) {
  const tick = (name: keyof Pick<Typed, 'prereleases' | 'addsToUploads'>, words: string) => (
    <Checkbox checked={form.typed[name]} onChange={(checked) => form.change({ [name]: checked })}>
      {words}
    </Checkbox>
  )
  return (
    <>
      <div>
        <TagInput
          label="Charts"
          value={form.typed.charts}
          placeholder="All of them"
          onChange={(charts) => form.change({ charts })}
        />
        <p className={styles.help}>
          <bdi>Names, or patterns such as prometheus-*. A leading ! excludes charts.</bdi>
        </p>
        <span className={field.error} role="alert">
          <bdi>{form.problemOf('charts')}</bdi>
        </span>
      </div>
      <Text
        {...{ form, name: 'versions', type: 'number', max: sourceLimits.versions }}
        label="Newest versions of each chart"
      />
      <div className={styles.ticks}>
        {tick('prereleases', 'Take prereleases, too')}
        {tick('addsToUploads', 'Add versions to items of the same name that were uploaded')}
        {form.typed.addsToUploads && (
          <p className={styles.help}>
            Entries of a cluster for one of these items then also trust the versions that this source brings.
          </p>
        )}
      </div>
    </>
  )
}

/** The answer of a source that was tried. */
function Preview({ preview }: { preview: SourcePreview }) {
  const shown = preview.charts.slice(0, 10)
  const more = preview.chartCount - shown.length
  return (
    <div role="status" className={parts.answer}>
      <bdi>{preview.message}</bdi>
      {shown.length > 0 && (
        <ul>
          {shown.map(({ name, versions }) => (
            <li key={name}>
              <code dir="ltr">{name}</code>: <bdi dir="ltr">{versions.join(', ')}</bdi>
            </li>
          ))}
          {more > 0 && <li>and {more} more</li>}
        </ul>
      )}
      {preview.notes.length > 0 && (
        <ul>
          {preview.notes.map((note) => (
            <li key={note}>
              <bdi>{note}</bdi>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
