"""What concerns processes of the operating system: folders, outputs, how they end."""
