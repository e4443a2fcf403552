{{/* Names, labels and what selects. Every template takes them from here. */}}

{{- define "hanpan.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 30 | trimSuffix "-" -}}
{{- end -}}

{{/* What all names begin with. Short: KubeRay allows a RayCluster's name 53 characters, and adds to it. */}}
{{- define "hanpan.fullname" -}}
{{- $name := include "hanpan.name" . -}}
{{- $full := ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) -}}
{{- $full | trunc 36 | trimSuffix "-" -}}
{{- end -}}

{{/* A RayCluster's name must begin with a letter (DNS-1035); a release's may begin with a digit. */}}
{{- define "hanpan.raycluster" -}}
{{- $full := include "hanpan.fullname" . -}}
{{- $full = ternary (printf "r%s" $full) $full (regexMatch "^[0-9]" $full) -}}
{{- printf "%s-%s" $full .Values.ray.generation -}}
{{- end -}}

{{- define "hanpan.directory" -}}{{ include "hanpan.fullname" . }}-directory{{- end -}}
{{- define "hanpan.gateway" -}}{{ include "hanpan.fullname" . }}-gateway{{- end -}}
{{- define "hanpan.nowhere" -}}{{ include "hanpan.fullname" . }}-nowhere{{- end -}}
{{- define "hanpan.migrate" -}}{{ include "hanpan.fullname" . }}-migrate{{- end -}}
{{- define "hanpan.test" -}}{{ include "hanpan.fullname" . }}-test{{- end -}}
{{- define "hanpan.secret" -}}{{ .Values.secrets.existing | default (printf "%s-secrets" (include "hanpan.fullname" .)) }}{{- end -}}

{{/* host:port at which nodes and gateways find the directory. */}}
{{- define "hanpan.directory.address" -}}
{{ include "hanpan.directory" . }}.{{ .Release.Namespace }}.svc.{{ .Values.clusterDomain }}:{{ .Values.directory.port }}
{{- end -}}

{{- define "hanpan.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}{{ .repository }}@{{ .digest }}
{{- else -}}{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* What selects one component's pods. Takes (dict "root" . "component" "gateway"). Never changes once installed. */}}
{{- define "hanpan.selector" -}}
app.kubernetes.io/name: {{ include "hanpan.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "hanpan.labels" -}}
{{ include "hanpan.selector" . }}
app.kubernetes.io/part-of: hanpan
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* Ray's pods, of any generation, as they are while one follows another. KubeRay itself overwrites name and created-by. */}}
{{- define "hanpan.raypods" -}}
hanpan/release: {{ .Release.Name }}
{{- end -}}
{{- define "hanpan.headpods" -}}
{{ include "hanpan.raypods" . }}
ray.io/node-type: head
{{- end -}}
{{- define "hanpan.roompods" -}}
{{ include "hanpan.raypods" . }}
ray.io/node-type: worker
{{- end -}}
