{{- define "chargeway.name" -}}
{{- printf "%s" .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end }}

{{- define "chargeway.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "chargeway.selector" -}}
app.kubernetes.io/name: chargeway
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "chargeway.labels" -}}
{{ include "chargeway.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "chargeway.podLabels" -}}
{{ include "chargeway.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
{{- end }}

{{/* Variables of a process: those given for all, those given for it, and what its component needs. */}}
{{- define "chargeway.env" -}}
{{- $given := merge (dict) .component.env .root.Values.env -}}
{{- $given = merge (dict "PUBLIC_URL" .root.Values.publicUrl "OCPP_URL" .root.Values.ocppUrl) $given -}}
{{- if .root.Values.trustedProxies }}{{- $given = merge (dict "TRUSTED_PROXIES" (join "," .root.Values.trustedProxies)) $given }}{{- end -}}
{{- range $name, $value := merge .own $given }}
- name: {{ $name }}
  value: {{ $value | toString | quote }}
{{- end }}
{{- end }}

{{- define "chargeway.secretEnv" -}}
- secretRef:
    name: {{ .Values.existingSecret }}
{{- end }}

{{- define "chargeway.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "chargeway.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- define "chargeway.pull" -}}
{{- with .Values.imagePullSecrets -}}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* Mounts of a container: its own, then those given for all. */}}
{{- define "chargeway.volumeMounts" -}}
{{- with concat .own .root.Values.extraVolumeMounts -}}
volumeMounts:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* Volumes of a pod: its own, then those given for all. */}}
{{- define "chargeway.volumes" -}}
{{- with concat .own .root.Values.extraVolumes -}}
volumes:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "chargeway.placement" -}}
{{- with .nodeSelector -}}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* One Ingress for a Service of the same name. */}}
{{- define "chargeway.ingress" -}}
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: {{ .name }}
  labels:
    {{- include "chargeway.labels" . | nindent 4 }}
  {{- with .ingress.annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- with .ingress.className }}
  ingressClassName: {{ . }}
  {{- end }}
  {{- with .ingress.tlsSecret }}
  tls:
    - hosts: [{{ $.ingress.host | quote }}]
      secretName: {{ . }}
  {{- end }}
  rules:
    - host: {{ .ingress.host | quote }}
      http:
        paths:
          {{- range .paths }}
          - path: {{ . }}
            pathType: {{ eq . "/" | ternary "Exact" "Prefix" }}
            backend:
              service:
                name: {{ $.name }}
                port:
                  name: {{ $.port }}
          {{- end }}
{{- end }}
