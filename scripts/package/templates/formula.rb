# Homebrew formula, filled by scripts/release.ts.
class McpMeter < Formula
  desc "See what MCP servers cost in tokens, and stop calls that cost too much"
  homepage "{{homepage}}"
  version "{{version}}"
  license "MIT"

  on_macos do
    on_arm do
      url "{{url}}/v{{version}}/mcp-meter-{{version}}-darwin-arm64.tar.gz"
      sha256 "{{darwin-arm64}}"
    end
    on_intel do
      url "{{url}}/v{{version}}/mcp-meter-{{version}}-darwin-x64.tar.gz"
      sha256 "{{darwin-x64}}"
    end
  end

  on_linux do
    on_arm do
      url "{{url}}/v{{version}}/mcp-meter-{{version}}-linux-arm64.tar.gz"
      sha256 "{{linux-arm64}}"
    end
    on_intel do
      url "{{url}}/v{{version}}/mcp-meter-{{version}}-linux-x64.tar.gz"
      sha256 "{{linux-x64}}"
    end
  end

  # The program is at the end of its runtime: stripping or relocating it destroys it.
  skip_clean "bin"

  def install
    bin.install "mcp-meter"
    man1.install "mcp-meter.1"
    bash_completion.install "completions/mcp-meter.bash" => "mcp-meter"
    zsh_completion.install "completions/_mcp-meter"
    fish_completion.install "completions/mcp-meter.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/mcp-meter --version")
    assert_equal "2", pipe_output("#{bin}/mcp-meter count", "two words").strip
  end
end
